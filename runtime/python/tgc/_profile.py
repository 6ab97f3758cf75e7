"""The times of the steps of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._description import Step
from ._outputs import Outputs


@dataclass(frozen=True)
class StepTime:
    """A step of a run with its time and its costs."""

    #: The step.
    step: Step
    #: The time of all its runs in nanoseconds, 0 for a step that was skipped.
    nanoseconds: int
    #: The number of arithmetic operations.
    flops: int
    #: The least number of bytes that are read and written.
    traffic_bytes: int

    def rates(self) -> tuple[float, float]:
        """Returns the GFLOP/s and the GB/s."""
        time = max(self.nanoseconds, 1)
        return self.flops / time, self.traffic_bytes / time


@dataclass(frozen=True, repr=False)
class Profile:
    """The times of a run. print() shows a table, with the longest step first."""

    #: The name of the function.
    function: str
    #: The outputs of the run.
    outputs: Outputs
    #: The steps, in the order of the program.
    steps: list[StepTime]

    @property
    def nanoseconds(self) -> int:
        """The time of all steps."""
        return sum(step.nanoseconds for step in self.steps)

    def __str__(self) -> str:
        total = self.nanoseconds
        lines = [f"{self.function}: {len(self.steps)} steps, {total * 1e-6:.4f} ms"]
        lines.append("      ms   share  GFLOP/s     GB/s  step")
        for time in sorted(self.steps, key=lambda time: -time.nanoseconds):
            flops, traffic = time.rates()
            lines.append(
                f"{time.nanoseconds * 1e-6:8.4f} {100 * time.nanoseconds / max(total, 1):5.1f} % "
                f"{flops:8.2f} {traffic:8.2f}  {time.step}"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<tgc.Profile of {self.function!r}: {self.nanoseconds * 1e-6:.4f} ms>"


def make(function: str, outputs: Outputs, rows: list[Any]) -> Profile:
    """Returns a profile from the tuples of the extension."""
    return Profile(function, outputs, [StepTime(*row) for row in rows])
