"""What became of the mutants of the checkers: ``python tests/mutation.py [FILE ...]``, in the folder in which ``mutmut run`` has finished.

Writes the parts of these files (of all three, if none is named) of reports/mutation.json and, of the same data, reports/mutation.md.
A mutant that changes nothing but the message of a refusal (the second argument of ``require``, the argument of ``Refused``) judges every
certificate as the checker does and is left out. A mutant that no input can tell from the checker is named in mutation_equivalent.json with
the reason; it counts as a survivor all the same, and a second figure leaves it out.
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

FILES = [f"certify/checker/{name}.py" for name in ("checker", "rounding", "difference")]
KILLED, TIMEOUT, SURVIVED = {1, 3}, {36, 24, -24, 152, 255}, {0, 5, 33}  # exit codes of mutmut; 33: no test reaches the function

# file: [{function, why it makes no difference, what its mutants say in place of it}]
EQUIVALENT = json.loads(Path(__file__).with_name("mutation_equivalent.json").read_text(encoding="utf-8"))
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


def read(folder: Path, file: str) -> list[Mutant]:
    source = (folder / "mutants" / file).read_text(encoding="utf-8")
    codes = json.loads((folder / "mutants" / f"{file}.meta").read_text(encoding="utf-8"))["exit_code_by_key"]
    prefix = file.removesuffix(".py").replace("/", ".")
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


def reason(file: str, mutant: Mutant) -> str:
    for each in EQUIVALENT[file]:
        if each["function"] == mutant.function and any(text in mutant.after and text not in mutant.before for text in each["changes"]):
            return each["reason"]
    return ""


def percent(part: int, whole: int) -> str:
    """Rounded down."""
    return f"{1000 * part // whole / 10} %"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def record(folder: Path, file: str) -> dict:
    mutants = read(folder, file)
    judged = [mutant for mutant in mutants if not mutant.message]
    survivors = [mutant for mutant in judged if not mutant.killed]
    killed = len(judged) - len(survivors)
    reasons = [reason(file, mutant) for mutant in survivors]
    equivalent = sum(map(bool, reasons))
    groups = [mutants, [m for m in mutants if m.message], [m for m in judged if m.killed], survivors]
    tables = {key: Counter(mutant.function for mutant in group) for key, group in zip(COLUMNS, groups, strict=True)}
    return {
        "tool": f"mutmut {version('mutmut')}",
        "file": file,
        "sha256": digest(folder / file),
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
            {"function": m.function, "number": m.number, "before": m.before, "after": m.after, "equivalent": why}
            for m, why in zip(survivors, reasons, strict=True)
        ],
    }


TITLE = """# Mutation testing of the checkers

How to make this page: [tests/README.md](../tests/README.md). mutmut changes what stands in functions, not the tables at the top of a file.
"""
SUMMARY = """
## {file}

`{file}` (SHA-256 {sha256:.16}…), {tool}: of {mutants} mutants {messages} change a message only.
Of the other {judged} the tests kill {killed}, which is **{score}**; {survived} survive.
{equivalent} of these are shown below to be equivalent to the checker; without them it is {score without equivalent}.

| function | mutants | message only | killed | survived |
|---|---|---|---|---|
"""
SURVIVOR = "{function} {number}: {why}\n\n```diff\n- {before}\n+ {after}\n```\n"


def part(data: dict) -> str:
    rows = [f"| {name} | {' | '.join(str(row[key]) for key in COLUMNS)} |" for name, row in data["functions"].items()]
    survivors = [SURVIVOR.format(**survivor, why=survivor["equivalent"] or "not shown to be equivalent") for survivor in data["survivors"]]
    return SUMMARY.format(**data) + "\n".join([*rows, "", f"### Survivors of {data['file']}", "", *survivors])


def markdown(data: dict) -> str:
    return TITLE + "".join(part(data[file]) for file in FILES)


def main(files: list[str]) -> None:
    path = Path("reports") / "mutation.json"
    data = json.loads(path.read_text(encoding="utf-8")) | {file: record(Path(), file) for file in files}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(markdown(data), encoding="utf-8")
    for each in data.values():
        print("{file}: {killed} of {judged} killed: {score}, without equivalent {score without equivalent}".format(**each))


if __name__ == "__main__":
    main(sys.argv[1:] or FILES)
