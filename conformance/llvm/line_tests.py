"""The tests of tests/lines that make files for readers of line tables, and read what these print."""
import importlib.util
import os
import sys
from types import ModuleType

LINES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "tests", "lines")


def test(name: str) -> ModuleType:
    """tests/lines/NAME.py."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), os.path.join(LINES, f"{name}.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


sys.path.insert(0, LINES)
UNITS, STACKS, READERS = test("test-units"), test("test-stack-vectors"), test("readers")
