"""Any file of printed values: a table, a contradiction or one line, never a traceback and never a hang."""

import contextlib
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.claims.exits import Exit
from certify.cli import main
from certify.data.printed import load

FEW = settings(max_examples=60, deadline=None)
TABLE = dict(load().tables)["table3"]

texts = st.one_of(
    st.text(max_size=8),
    st.decimals(allow_nan=True, allow_infinity=True).map(str),
    st.sampled_from(["1e-99999", "1e99999999", "-0", "1_0", "٣", "1.645e5 ", "+1.645e5", "0x1p3", "1/3"]),
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("printed") / "printed.json"


def call(file, content: bytes) -> Exit:
    file.write_bytes(content)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["table", "3", "--printed", str(file), "--format", "json"])
    assert code in (Exit.HOLDS, Exit.REFUTED, Exit.BAD_INPUT), err.getvalue()
    assert err.getvalue().count("\n") == (code == Exit.BAD_INPUT)
    assert (out.getvalue() == "") == (code == Exit.BAD_INPUT)
    return Exit(code)


@FEW
@given(content=st.binary(max_size=20) | plain.map(lambda data: json.dumps(data).encode()))
def test_any_file(file, content):
    assert call(file, content) is Exit.BAD_INPUT


@FEW
@given(row=st.integers(0, 3), column=st.integers(0, 7), entry=plain)
def test_any_entry(file, row, column, entry):
    rows = [list(entries) for entries in TABLE["rows"]]
    rows[row][column] = entry
    call(file, json.dumps({"table3": {**TABLE, "rows": rows}}).encode())


@FEW
@given(plain, st.sampled_from(["columns", "rows"]))
def test_any_part(file, part, name):
    call(file, json.dumps({"table3": {**TABLE, name: part}}).encode())
