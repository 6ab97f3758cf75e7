"""The result of a run."""

from __future__ import annotations

from typing import Any


class Outputs(dict[str, Any]):
    """The outputs of a run by name: `outputs["loss"]`, or `outputs.loss`.

    A name that is also a method of dict, such as `values`, works only in
    brackets. Arrays own their memory, and scalars are numbers of NumPy.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __missing__(self, name: str) -> Any:
        raise KeyError(f"no output {name!r}, expected one of {', '.join(self)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]
