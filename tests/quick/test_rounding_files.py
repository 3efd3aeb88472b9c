"""Both checkers of rounding: certificates in general, and files of them."""

import hashlib
import json

import pytest
import small_difference
import small_rounding

from certify.checker import difference, rounding

SEALED = {
    rounding: lambda **change: small_rounding.sealed(small_rounding.theorem(f"{small_rounding.ROOT} div:3,4"), **change),
    difference: lambda **change: small_difference.sealed(small_difference.theorem(), **change),
}
BOTH = pytest.mark.parametrize("checker", SEALED, ids=["rounding", "difference"])


@BOTH
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"claim": 1}, "unknown format"),
        ({"more": ""}, "malformed: TypeError: "),
        ({"claim": None}, "a certificate has only printable ASCII strings, integers, lists and objects in it"),
        ({"claim": True}, "a certificate has only printable"),
        ({"claim": 1.0}, "a certificate has only printable"),
        ({"claim": "\n"}, "a certificate has only printable"),
        ({"claim": "\u03bd"}, "a certificate has only printable"),
        ({"claim": [["", {"": [False]}]]}, "a certificate has only printable"),
        ({"claim": {"\u03bd": 1}}, "a certificate has only printable"),
    ],
)
def test_certificates_refused(checker, change, says):
    with pytest.raises(checker.Refused) as refusal:
        checker.check(SEALED[checker](**change))
    assert str(refusal.value).startswith(says)


@BOTH
@pytest.mark.parametrize("value", [0, -(10**30), "", "a b~", [], {}, [[1], {"a": ["b", {}]}]])
def test_plain_values(checker, value):
    assert checker.plain(value)


@BOTH
def test_the_digest(checker):
    assert checker.digest({"digest": "x", "b": [1, 2], "a": "c"}) == checker.digest({"a": "c", "b": [1, 2]})
    content = '{"a":"\u03bd","b":[1,2]}'.encode()
    assert checker.digest({"b": [1, 2], "a": "\u03bd", "digest": ""}) == "sha256:" + hashlib.sha256(content).hexdigest()
    with pytest.raises(checker.Refused, match="^the digest does not belong to the content$"):
        checker.check(SEALED[checker]() | {"claim": "another"})
    with pytest.raises(checker.Refused, match="^malformed: KeyError: 'digest'$"):
        checker.check({})


@BOTH
def test_long_refusals_are_cut(checker):
    with pytest.raises(checker.Refused) as refusal:
        checker.check(SEALED[checker](**{"a" * 1000: 1}))
    assert len(str(refusal.value)) == 400


@pytest.fixture
def run(tmp_path, capsys):
    """Have a checker read files: its exit code, and what it prints on either stream."""

    def run(checker, *names: str) -> tuple[int, str, str]:
        good = SEALED[checker]()
        (tmp_path / "good").write_text(json.dumps(good))
        (tmp_path / "bad").write_text(json.dumps(good | {"claim": "another"}))
        (tmp_path / "twice").write_text('{"a": 1, "a": 1}')
        (tmp_path / "text").write_text("x" * 200)
        (tmp_path / "latin").write_bytes(b'{"a": "\xe9"}' + b" " * 100)
        code = checker.main([str(tmp_path / name) for name in names])
        out, err = (stream.replace(f"{tmp_path}/", "") for stream in capsys.readouterr())
        return code, out, err

    return run


UNREADABLE = {"text": "JSONDecodeError('Expecting value", "latin": "UnicodeDecodeError('utf-8', b'{", "none": "FileNotFoundError(2, "}


@BOTH
def test_files(checker, run):
    assert run(checker) == (4, "", "")
    code, out, err = run(checker, "good")
    assert (code, err) == (0, "")
    assert out == "\n  ".join(["'good': ACCEPTED", *checker.check(SEALED[checker]()).statements]) + "\n"
    refusal = "'bad': REFUSED: the digest does not belong to the content\n"
    assert run(checker, "bad") == (1, refusal, "")
    assert run(checker, "bad", "good") == (1, refusal + out, "")
    assert run(checker, "twice") == (1, "'twice': REFUSED: a field is given twice\n", "")
    for name, why in UNREADABLE.items():
        code, out, err = run(checker, name, "bad")
        assert (code, out) == (4, refusal)
        assert err.startswith(f"'{name}': not readable as JSON: {why}")
        assert name != "latin" or len(err) == len("'latin': not readable as JSON: \n") + 120
        assert run(checker, "bad", name)[0] == 4


@BOTH
def test_how_large_a_file_is(checker, run, monkeypatch):
    size = len(json.dumps(SEALED[checker]()))
    monkeypatch.setattr(checker, "MAX_BYTES", size)
    assert run(checker, "good")[0] == 0
    monkeypatch.setattr(checker, "MAX_BYTES", size - 1)
    assert run(checker, "good") == (1, "'good': REFUSED: the file is too large\n", "")
