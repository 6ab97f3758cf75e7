"""Checks of the reference of the Python module tgc, which Sphinx makes from its docstrings.

PYTHONPATH has the module, with its file of types in place of the compiled part, so nothing of that runs.
"""

import ast
import importlib
import inspect
import pathlib

from sphinx.util import logging

logger = logging.getLogger(__name__)


def find_sources(app):
    """Gives the classes of the package the modules that define them, whose comments describe their fields."""
    import tgc

    for path in pathlib.Path(tgc.__file__).parent.glob("_[a-z]*.py"):
        module = importlib.import_module(f"tgc.{path.stem}")
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.ClassDef):
                getattr(module, node.name).__module__ = module.__name__


def require_text(app, what, name, thing, options, lines):
    """Warns of a public name without a docstring."""
    if not any(line.strip() for line in lines):
        logger.warning("expected a docstring of %s, found none", name)


def require_place(app, env):
    """Warns of a public name that the page does not have."""
    import tgc

    shown = env.get_domain("py").objects
    for name in sorted(tgc.__all__):
        if f"tgc.{name}" not in shown:
            logger.warning("expected tgc.%s on the page of the module, found no place", name)


def setup(app):
    """Adds the checks."""
    app.connect("builder-inited", find_sources)
    app.connect("autodoc-process-docstring", require_text)
    app.connect("env-check-consistency", require_place)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
