"""What became of the mutants of the checker: ``python tests/mutation.py``, in the folder in which ``mutmut run`` has finished.

Writes reports/mutation.json and, of the same data, reports/mutation.md. A mutant that changes nothing but the message of a refusal (the
second argument of ``require``, the argument of ``Refused``) judges every certificate as the checker does and is left out. A mutant that no
input can tell from the checker is named below with the reason; it counts as a survivor all the same, and a second figure leaves it out.
"""

import ast
import difflib
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

FILE = "certify/checker/checker.py"
KILLED, TIMEOUT, SURVIVED = {1, 3}, {36, 24, -24, 152, 255}, {0, 5, 33}  # exit codes of mutmut; 33: no test reaches the function

# function, why it makes no difference, and what its mutants say in place of it
EQUIVALENT = [
    ("on_intervals", "where an end is 0, the least power of the ends is 0", ["a.low <= 0 < a.high", "a.low < 0 <= a.high"]),
    ("Setting.intervals", "a box has one interval for each variable", ["strict=None", "zip(own, box, )", "strict=False"]),
    ("Setting.intervals", "twice a number has its sign", ['on_intervals("*", 2,']),
    ("Setting.cases", "sums tell apart '>', '=' and others", ['"XX>=XX"']),
    ("Setting.cases", "an earlier step has shown that its alternatives are defined", ['enumerate([(self.parse(text, ), ">")']),
    ("Setting.supremum", "an expression without names looks none up", ["self.value(bounds[0], None)", "self.parse(text, set()), None)"]),
    ("Setting.barrier", "no rule shows an inequality that has no alternative", ["0 <= len("]),
    ("Setting.barrier", "None and no argument are False", ["strict=None", "zip(shown[\"any_of\"], factors, needed, )"]),
    ("Setting.enclosure", "of the relations '>' and '>=' one is in '>' and in 'XX>XX'", ['"XX>XX"']),
    ("Setting.oscillation", "the rule of the difference bound has found them defined", ["self.parse(rest, )", '["majorant"], )']),
    ("Functions.function", "no factor has the power 0", ["q.items() if k >= 0"]),
    ("Functions.zero", "no factor has the power 0", ["product.items() if k >= 0"]),
    ("Functions.zero", "where no polynomial enters, no value does", ["default=1"]),
    ("main", "Python knows an encoding by its name in any case", ['"UTF-8"']),
    ("along", "the columns of a table are of one length", [")), strict=None)", ")), )", ")), strict=False)"]),
]


COLUMNS = ("mutants", "messages", "killed", "survived")


class Mutant(NamedTuple):
    function: str
    number: int
    killed: bool
    message: bool
    before: str
    after: str


def functions(source: str) -> Iterator[tuple[str, str, str]]:
    """Name, number (or ``orig``) and text of every function that mutmut wrote into a module, under one name."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and (found := re.fullmatch(r"x[_ǁ](.*)__mutmut_(\w+)", node.name)):
            text = "\n".join(line[node.col_offset :] for line in lines[node.lineno - 1 : node.end_lineno])
            yield found[1].replace("ǁ", "."), found[2], text.replace(node.name, "function")


class WithoutMessages(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and len(node.args) == {"require": 2, "Refused": 1}.get(node.func.id):
            node.args[-1] = ast.Constant("")
        return node


def judgement(text: str) -> str:
    return ast.dump(WithoutMessages().visit(ast.parse(text)))


def difference(before: str, after: str) -> tuple[str, str]:
    """The lines that differ."""
    lines = [*difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)][2:]
    return tuple(" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")


def read(folder: Path) -> list[Mutant]:
    source = (folder / "mutants" / FILE).read_text(encoding="utf-8")
    codes = json.loads((folder / "mutants" / f"{FILE}.meta").read_text(encoding="utf-8"))["exit_code_by_key"]
    prefix = FILE.removesuffix(".py").replace("/", ".")
    ends = {re.sub(rf"{re.escape(prefix)}\.x[_ǁ]", "", key).replace("ǁ", "."): code for key, code in codes.items()}
    texts = {(name, number): text for name, number, text in functions(source)}
    mutants = []
    for (name, number), text in texts.items():
        if number != "orig":
            code, before = ends[f"{name}__mutmut_{number}"], texts[name, "orig"]
            if code not in KILLED | TIMEOUT | SURVIVED:
                sys.exit(f"{name} {number}: not decided ({code}); run mutmut until all are")
            mutants.append(Mutant(name, int(number), code not in SURVIVED, judgement(text) == judgement(before), *difference(before, text)))
    return mutants


def reason(mutant: Mutant) -> str:
    for name, why, changes in EQUIVALENT:
        if name == mutant.function and any(text in mutant.after and text not in mutant.before for text in changes):
            return why
    return ""


def percent(part: int, whole: int) -> str:
    """Rounded down."""
    return f"{1000 * part // whole / 10} %"


def record(folder: Path) -> dict:
    mutants = read(folder)
    judged = [mutant for mutant in mutants if not mutant.message]
    survivors = [mutant for mutant in judged if not mutant.killed]
    killed = len(judged) - len(survivors)
    equivalent = sum(map(bool, map(reason, survivors)))
    groups = [mutants, [m for m in mutants if m.message], [m for m in judged if m.killed], survivors]
    tables = {key: Counter(mutant.function for mutant in group) for key, group in zip(COLUMNS, groups, strict=True)}
    return {
        "tool": f"mutmut {version('mutmut')}",
        "file": FILE,
        "sha256": hashlib.sha256((folder / FILE).read_bytes()).hexdigest(),
        "mutants": len(mutants),
        "messages": len(mutants) - len(judged),
        "judged": len(judged),
        "killed": killed,
        "survived": len(survivors),
        "equivalent": equivalent,
        "score": percent(killed, len(judged)),
        "score without equivalent": percent(killed, len(judged) - equivalent),
        "functions": {name: {key: table[name] for key, table in tables.items()} for name in tables["mutants"]},
        "survivors": [
            {"function": m.function, "number": m.number, "before": m.before, "after": m.after, "equivalent": reason(m)} for m in survivors
        ],
    }


SUMMARY = """# Mutation testing of the checker

`{file}` (SHA-256 {sha256:.16}…), {tool}: of {mutants} mutants {messages} change a message only.
Of the other {judged} the tests kill {killed}, which is **{score}**; {survived} survive.
{equivalent} of these are shown below to be equivalent to the checker; without them it is {score without equivalent}.
mutmut changes what stands in functions, not the tables at the top of the file.
How to make this page: [tests/README.md](../tests/README.md).

| function | mutants | message only | killed | survived |
|---|---|---|---|---|
"""
SURVIVOR = "{function} {number}: {why}\n\n```diff\n- {before}\n+ {after}\n```\n"


def markdown(data: dict) -> str:
    rows = [f"| {name} | {' | '.join(str(row[key]) for key in COLUMNS)} |" for name, row in data["functions"].items()]
    survivors = [SURVIVOR.format(**survivor, why=survivor["equivalent"] or "not shown to be equivalent") for survivor in data["survivors"]]
    return SUMMARY.format(**data) + "\n".join([*rows, "", "## Survivors", "", *survivors])


def main() -> None:
    data = record(Path())
    (Path("reports") / "mutation.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (Path("reports") / "mutation.md").write_text(markdown(data), encoding="utf-8")
    print(f"{data['killed']} of {data['judged']} killed: {data['score']}, without equivalent {data['score without equivalent']}")


if __name__ == "__main__":
    main()
