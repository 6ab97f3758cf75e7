"""Runs and trains models that tgc, the TensorGraph compiler, made.

    >>> import numpy as np, tgc
    >>> model = tgc.load("mlp.so")
    >>> context = model.context(seed=1)
    >>> context.run("test", x=np.zeros((1, 784), np.float32)).digit
"""

from importlib.metadata import version as _version

from . import models
from ._compile import CompileWarning, compile
from ._description import Function, Step, Symbol, Value, Variable
from ._errors import (
    BusyError,
    CallError,
    CompileError,
    DataError,
    Error,
    LibraryError,
    Location,
    ResourceError,
)
from ._outputs import Outputs
from ._profile import Profile, StepTime
from ._runtime import (
    Context,
    Model,
    Pool,
    Run,
    SharedVariables,
    checkpoint_entries,
    load,
    load_bytes,
)

__version__ = _version("tgc")

__all__ = [
    "BusyError",
    "CallError",
    "CompileError",
    "CompileWarning",
    "Context",
    "DataError",
    "Error",
    "Function",
    "LibraryError",
    "Location",
    "Model",
    "Outputs",
    "Pool",
    "Profile",
    "ResourceError",
    "Run",
    "SharedVariables",
    "Step",
    "StepTime",
    "Symbol",
    "Value",
    "Variable",
    "checkpoint_entries",
    "compile",
    "load",
    "load_bytes",
    "models",
]

# Messages and help show classes by the names that programs use.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
