"""The functions and variables of a model, for people and programs."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, MutableMapping, Optional, TypeVar, Union

import numpy

from ._errors import Location

Shape = tuple[Union[int, str], ...]
_Row = TypeVar("_Row")
_ROLES = ("other", "parameter", "statistic", "slot", "step", "random")


def _show(dtype: numpy.dtype[Any], shape: Shape) -> str:
    return f"{dtype}[{', '.join(map(str, shape))}]"


def _unknown(kind: str, name: Any, known: list[str]) -> KeyError:
    """Returns the exception of an unknown name: similar names, or those known."""
    found = f"no {kind} {name!r}"
    if len(known) <= 8:
        return KeyError(f"{found}, expected one of {', '.join(known) or 'none'}")
    similar = [other for other in known if other.endswith(f"/{name}")]
    similar = similar or difflib.get_close_matches(str(name), known)
    if similar:
        return KeyError(f"{found}; did you mean {' or '.join(map(repr, similar[:3]))}?")
    return KeyError(f"{found}, expected one of {', '.join(known[:8])}, ...")


class Table(Mapping[str, _Row]):
    """Descriptions by name, which cannot be changed. print() shows one a line."""

    def __init__(self, kind: str, rows: dict[str, _Row]):
        self._kind = kind
        self._rows = rows

    def __getitem__(self, name: str) -> _Row:
        if name not in self._rows:
            raise _unknown(self._kind, name, list(self._rows))
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return "\n".join(map(str, self._rows.values())) or f"<no {self._kind}s>"


@dataclass(frozen=True)
class Value:
    """An input or output. The names in the shape are symbols: any extent."""

    #: The name, by which a run gets or returns it.
    name: str
    #: The element type.
    dtype: numpy.dtype[Any]
    #: The extents, which are numbers and names of symbols.
    shape: Shape
    #: True for the seed of random numbers, which the context supplies.
    optional: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {_show(self.dtype, self.shape)}"


@dataclass(frozen=True)
class Symbol:
    """An extent that differs between calls, such as the size of a batch."""

    #: The name, which shapes contain.
    name: str
    #: The least extent.
    minimum: int
    #: The greatest extent.
    maximum: int
    #: A number that divides the extent.
    multiple: int
    #: False for an extent of outputs that the function computes.
    given: bool


@dataclass(frozen=True)
class Step:
    """A step of a function: a kernel, a copy, a call of the host or a print."""

    #: The name of the kernel. Steps with one name run one kernel.
    name: str
    #: The operations of the step, such as `"tg.matmul, tg.add"`.
    ops: str
    #: The layers of the step, such as `"digits/Linear_1"`, or nothing.
    layers: str
    #: The place in the model's source, or None.
    location: Optional[Location] = None

    def __str__(self) -> str:
        place = f" {self.location.file}:{self.location.line}" if self.location else ""
        return self.name + place


@dataclass(frozen=True, repr=False)
class Function:
    """A function of a model."""

    #: The name, such as `"train"`.
    name: str
    #: The inputs by name.
    inputs: Mapping[str, Value]
    #: The outputs by name.
    outputs: Mapping[str, Value]
    #: The extents that differ between calls, by name.
    symbols: Mapping[str, Symbol]
    #: The names of the host functions that it calls.
    host: tuple[str, ...]
    #: True for a function that trains or initializes.
    writes_variables: bool
    #: The kernels and other steps that it runs, in order.
    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        given = [value for value in self.inputs.values() if not value.optional]
        inputs = ", ".join(map(str, given))
        outputs = ", ".join(map(str, self.outputs.values()))
        return f"{self.name}({inputs}) -> ({outputs})"

    def __repr__(self) -> str:
        return f"<tgc.Function {self}>"


@dataclass(frozen=True)
class Variable:
    """A variable of a model."""

    #: The name, such as `"digits/Linear_1/weight"`.
    name: str
    #: The element type.
    dtype: numpy.dtype[Any]
    #: The extents.
    shape: tuple[int, ...]
    #: `"parameter"`, `"statistic"`, `"slot"`, `"step"`, `"random"` or `"other"`.
    role: str
    #: True for a parameter that training changes.
    trainable: bool
    #: The parameter whose optimizer state this is.
    owner: Optional[str]
    #: The size in bytes.
    nbytes: int

    def __str__(self) -> str:
        return f"{self.name}: {_show(self.dtype, self.shape)}"


def _values(kind: str, rows: list[Any]) -> Mapping[str, Value]:
    return Table(
        kind,
        {
            name: Value(name, numpy.dtype(dtype), shape, optional)
            for name, dtype, shape, optional in rows
        },
    )


def _step(row: Any) -> Step:
    name, ops, layers, location = row
    return Step(name, ops, layers, Location(*location) if location else None)


class Description:
    """The tables of a model, made from the tuples of the extension."""

    def __init__(self, name: str, functions: list[Any], variables: list[Any]):
        self.name = name
        self.functions: Mapping[str, Function] = Table(
            "function",
            {
                name: Function(
                    name,
                    _values("input", inputs),
                    _values("output", outputs),
                    Table("symbol", {row[0]: Symbol(*row) for row in symbols}),
                    tuple(host),
                    writes,
                    tuple(map(_step, steps)),
                )
                for name, inputs, outputs, symbols, host, writes, steps in functions
            },
        )
        names = [row[0] for row in variables]
        self.variables: Mapping[str, Variable] = Table(
            "variable",
            {
                name: Variable(
                    name,
                    numpy.dtype(dtype),
                    shape,
                    _ROLES[role] if role < len(_ROLES) else "other",
                    trainable,
                    names[owner] if owner >= 0 else None,
                    nbytes,
                )
                for name, dtype, shape, role, trainable, owner, nbytes in variables
            },
        )

    def size(self) -> str:
        """Returns the number of variables and their size."""
        count = len(self.variables)
        if not count:
            return "no variables"
        size = float(sum(value.nbytes for value in self.variables.values()))
        unit = "B"
        for larger in ("kB", "MB", "GB"):
            if size >= 1000:
                size, unit = size / 1000, larger
        return f"{count} variable{'s'[:count > 1]} of {size:.3g} {unit}"

    def short(self) -> str:
        """Returns the text of repr(model)."""
        functions = ", ".join(self.functions)
        return f"<tgc.Model {self.name!r}: {functions}; {self.size()}>"

    def text(self) -> str:
        """Returns the text of str(model), one function a line."""
        lines = [f"model {self.name}, {self.size()}"]
        return "\n  ".join(lines + [str(made) for made in self.functions.values()])


class ContextVariables(MutableMapping[str, numpy.ndarray]):
    """The variables of a context as a mapping. Values are copies."""

    def __init__(self, context: Any):
        self._context = context

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self._context.get(self._context.model.variables[name].name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._context.set(name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("the variables of a model cannot be deleted")

    def __iter__(self) -> Iterator[str]:
        return iter(self._context.model.variables)

    def __len__(self) -> int:
        return len(self._context.model.variables)

    def __repr__(self) -> str:
        rows = self._context.model.variables.values()
        return f"<{', '.join(str(row) for row in rows)}>"
