"""The house as design has it: rooms import only downward, modules import each other one way, and stay of a size that one reads at once."""

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = (
    "certify.exact",
    "certify.checker",
    "certify.claims",
    "proofs",
    "certify.vmf",
    "certify.special",
    "certify.realizations",
    "certify.learning",
    "certify.audit",
    "certify.bench",
    "certify.training",
    "certify.studies",
    "certify.report",
    "certify.commands",
)
"""Ground floor first; ``certify.data`` is open to all, and what stands in ``certify`` itself may use every room."""
LONGEST, CHECKER, MEDIAN = 500, 600, 150
"""Lines of a module, of a standalone checker, and of half of all modules."""
FUNCTION, TYPICAL = 40, 10
"""Lines of a function without its docstring, and of half of all functions."""
HEAVY = ("sympy", "torch", "scipy", "matplotlib", "sklearn", "jinja2", "numpy", "distributed")


def modules() -> dict[str, Path]:
    """The project's modules by name."""
    files = [file for package in ("certify", "proofs") for file in (ROOT / package).rglob("*.py")]
    return {name_of(file): file for file in files if "example" not in file.parts}


def name_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = modules()


def room_of(module: str) -> str | None:
    return next((room for room in ROOMS if module == room or module.startswith(f"{room}.")), None)


def imported(source: str) -> Iterator[str]:
    """The modules that a source imports, wherever it does so."""
    return named(ast.walk(ast.parse(source)))


def at_run(source: str) -> Iterator[str]:
    """What a source imports at its head or in a function; for type checkers only is not among it."""
    return named(running(ast.parse(source)))


def running(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree without those that only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
            yield child
            yield from running(child)


def named(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else node.module for name in names)


def upward(module: str, source: str) -> list[str]:
    """The imports of a module that lead to a room above its own."""
    own = room_of(module)
    if own is None:
        return []
    rooms = ((each, room_of(each)) for each in imported(source))
    return [each for each, room in rooms if room is not None and ROOMS.index(room) > ROOMS.index(own)]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_those_below(room):
    found = {module: upward(module, file.read_text()) for module, file in MODULES.items() if room_of(module) == room}
    assert {module: imports for module, imports in found.items() if imports} == {}


def test_an_import_upward_is_found():
    assert upward("certify.exact.truth", "def f():\n    from certify.claims import claim") == ["certify.claims.claim"]
    assert upward("certify.claims.claim", "import certify.report.text") == ["certify.report.text"]
    assert upward("certify.report.text", "from certify.exact.truth import Truth\nimport proofs") == []


def test_the_checkers_import_nothing_of_the_project():
    for module, file in MODULES.items():
        if room_of(module) == "certify.checker":
            assert [each for each in imported(file.read_text()) if each.partition(".")[0] in ("certify", "proofs")] == []


def test_modules_do_not_import_each_other_in_circles():
    """Not in functions either, where an import would hide one."""
    graph = {name: {each for each in at_run(file.read_text()) if each in MODULES and each != name} for name, file in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' -> '.join(error.args[1])}")


def test_an_import_in_a_function_counts_and_one_for_type_checkers_does_not():
    source = "if TYPE_CHECKING:\n    import certify.cli\ndef f():\n    import certify.report.text"
    assert list(at_run(source)) == ["certify.report.text"]


def test_modules_are_of_a_size_that_one_reads_at_once():
    lines = {name: len(file.read_text().splitlines()) for name, file in MODULES.items()}
    allowed = {name: CHECKER if room_of(name) == "certify.checker" else LONGEST for name in lines}
    assert {name: count for name, count in lines.items() if count > allowed[name]} == {}
    assert statistics.median(count for count in lines.values() if count) < MEDIAN


def test_functions_are_short():
    lines = {f"{name}.{node.name}": length(node) for name, file in MODULES.items() for node in functions(file.read_text())}
    assert {name: count for name, count in lines.items() if count > FUNCTION} == {}
    assert statistics.median(lines.values()) <= TYPICAL


def functions(source: str) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))


def length(function: ast.FunctionDef) -> int:
    """Lines of the body, without the docstring."""
    first = function.body[1] if ast.get_docstring(function) and len(function.body) > 1 else function.body[0]
    return (function.end_lineno or 0) - first.lineno + 1


def test_no_module_is_a_drawer_for_whatever():
    assert [name for name in MODULES if name.rpartition(".")[2] in ("utils", "util", "helpers", "misc", "common")] == []


def test_help_loads_none_of_the_heavy_libraries():
    code = f"import sys; from certify.cli import main; main(['--help']); sys.exit(str([m for m in {HEAVY} if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def test_the_ground_floor_never_imports_torch():
    for room in ("certify.exact", "certify.checker", "certify.claims", "proofs"):
        for name, file in MODULES.items():
            if room_of(name) == room:
                assert not any(each.partition(".")[0] == "torch" for each in imported(file.read_text())), name
