"""``certify table``: ids, formats, files and bad input."""

import json

import pytest

from certify.cli import main
from certify.data.printed import load
from certify.report.tables import FORMATS


@pytest.fixture
def table(capsys):
    """Run the command without the search; its exit code, stdout and stderr."""

    def table(*arguments: str) -> tuple[int, str, str]:
        code = main(["table", "--no-search", *arguments])
        return code, *capsys.readouterr()

    return table


def printed_file(tmp_path, content: str):
    path = tmp_path / "printed.json"
    path.write_text(content)
    return str(path)


@pytest.mark.parametrize("format", FORMATS)
def test_formats_and_both_forms_of_an_id(table, format):
    code, out, err = table("3", "--format", format)
    assert (code, err) == (0, "")
    assert out.endswith("\n")
    assert table("table.3", "--format", format) == (0, out, "")


def test_tables_come_in_the_order_asked_for_and_once(table):
    code, out, _ = table("5", "3", "table.5", "--format", "json")
    assert code == 0
    assert [entry["table"] for entry in json.loads(out)["tables"]] == ["5", "3"]


def test_every_cell_is_an_object(table):
    _, out, _ = table("5", "6", "--format", "json")
    for entry in json.loads(out)["tables"]:
        content = load().tables[f"table{entry['table']}"]
        assert [row["p"] for row in entry["rows"]] == [row[0] for row in content["rows"]]
        for row, printed in zip(entry["rows"], content["rows"], strict=True):
            assert [cell["printed"] for cell in row["cells"].values()] == printed[1:]
            assert all(cell["judgement"] in ("matches", "rounds differently", "noise") for cell in row["cells"].values())
            assert all(cell["computed"] and cell["digits"] >= 15 for cell in row["cells"].values())


def test_the_cell_that_rounding_decides_says_so(table):
    rows = json.loads(table("6", "--format", "json")[1])["tables"][0]["rows"]
    cell = rows[-1]["cells"]["log-Miller"]
    assert cell["rounding"].keys() == {"exact_arithmetic", "bound"}
    assert round(float(cell["rounding"]["exact_arithmetic"]) * 1e9, 2) == 7.56
    assert "rounding decides these digits" in cell["explanation"]


def test_the_search_is_on_by_default(capsys):
    assert main(["table", "5", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["tables"][0]["rows"]
    assert all(row["cells"][column]["off_grid"]["evaluations"] > 61 for row in rows for column in ("CUSF", "AR/FR"))


def test_digits_are_those_asked_for(table):
    few, many = (json.loads(table("5", "--digits", digits, "--format", "json")[1])["tables"][0] for digits in ("20", "90"))
    cells = [entry["rows"][0]["cells"]["AR/FR"] for entry in (few, many)]
    assert cells[0]["digits"] < cells[1]["digits"]
    assert cells[1]["digits"] >= 80
    shorter = cells[0]["computed"].partition("e")[0][:-1]
    assert cells[1]["computed"].startswith(shorter)


def test_a_result_goes_to_a_file(table, tmp_path):
    expected = table("3")[1]
    assert table("3", "-o", str(tmp_path / "table.txt")) == (0, "", "")
    assert (tmp_path / "table.txt").read_text() == expected


def test_a_copy_of_the_printed_values_changes_nothing(table, tmp_path):
    assert table("3", "--printed", printed_file(tmp_path, json.dumps(dict(load().tables)))) == table("3")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Missing argument"),
        (["9"], "unknown table '9': choose from 2, 3, 4, 5"),
        (["3", "table.9"], "unknown table 'table.9'"),
        (["table.table.3"], "unknown table"),
        (["5", "--digits", "14"], "15 to 1000"),
        (["5", "--digits", "1001"], "15 to 1000"),
        (["5", "--digits", "many"], "'many'"),
        (["5", "--format", "pdf"], "pdf"),
        (["3", "--printed", "missing.json"], "'missing.json': No such file"),
        (["3", "--printed", "."], "not a regular file"),
        (["3", "-o", "/dev/null"], "not a regular file"),
    ],
)
def test_bad_input_is_one_line(table, arguments, words):
    code, out, err = table(*arguments)
    assert (code, out, err.count("\n")) == (4, "", 1)
    assert err.startswith("certify: ")
    assert words in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is not a JSON file"),
        ("[" * 100_000, "is not a JSON file"),
        ("[]", "is not a JSON object"),
        ('{"table3": 1}', "has no single value for table 3"),
        ('{"table3": {"columns": {}, "rows": []}}', "has no single value"),
        ('{"table3": {"columns": ["nu", "p"], "rows": [5]}}', "has no single value"),
    ],
)
def test_malformed_printed_values_are_one_line(table, tmp_path, content, words):
    code, out, err = table("3", "--printed", printed_file(tmp_path, content))
    assert (code, out, err.count("\n")) == (4, "", 1)
    assert words in err


@pytest.mark.parametrize(
    ("format", "cell"),
    [("markdown", r"\$x\_\|y # z\$"), ("latex", r"\$x\_|y \# z\$"), ("csv", "$x_|y # z$"), ("text", "$x_|y # z$")],
)
def test_printed_words_break_no_layout(table, tmp_path, format, cell):
    """Of as many lines as with the paper's words; what has a meaning in the layout is escaped."""
    content = json.loads(json.dumps(dict(load().tables)))
    content["table3"]["rows"][0][content["table3"]["columns"].index("phase")] = "$x_|y\n# z$"
    code, out, _ = table("3", "--format", format, "--printed", printed_file(tmp_path, json.dumps(content)))
    assert code == 1
    assert cell in out
    assert len(out.splitlines()) == len(table("3", "--format", format)[1].splitlines())


@pytest.mark.parametrize("text", ["", "nan", "x", "1e-999999999", "1e999999999", "9" * 30_000, "1.2e-11\n"])
def test_printed_values_that_are_no_decimals_are_one_line(table, tmp_path, text):
    content = json.loads(json.dumps(dict(load().tables)))
    content["table3"]["rows"][0][-1] = text
    code, out, err = table("3", "--printed", printed_file(tmp_path, json.dumps(content)))
    assert (code, out) in ((4, ""), (0, out))
    assert err.count("\n") == (1 if code else 0)
    assert len(err) < 300
