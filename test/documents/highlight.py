"""Runs the Pygments lexer of MLIR on every model and document of the tree:
highlight.py <root>"""

import pathlib
import re
import sys

from pygments.token import Error, Keyword, Name, Number, String

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tools/docs"))
from mlir_lexer import MlirLexer  # noqa: E402

# A text and the kinds that its words must have.
SAMPLE = """
%sum:2 = tg.add %x#1, %y {tg.name = "a\\22b", axis = 0xf} : tensor<0xf32>
func.func @f(%x: tensor<?x0x[4]xi64>) { ^bb0: return }
#map = affine_map<(d0) -> (d0)> // comment
"""
KINDS = {
    "%sum": Name.Variable,
    "tg.add": Name.Builtin,
    "tg.name": Name.Attribute,
    "axis": Name.Attribute,
    "\\22": String.Escape,
    "0xf": Number.Hex,
    "f32": Keyword.Type,
    "i64": Keyword.Type,
    "?": Number.Integer,
    "@f": Name.Function,
    "^bb0": Name.Label,
    "return": Keyword,
    "#map": Name.Constant,
}


def errors(text):
    """Returns the parts of a text that the lexer does not know."""
    return [part for kind, part in MlirLexer().get_tokens(text) if kind is Error]


def texts():
    """Yields the name and text of every model and fenced block of the tree,
    without the texts that are no MLIR on purpose."""
    rooms = [room for room in root.iterdir() if room.is_dir() and room.name != "build"]
    for path in sorted(path for room in rooms for path in room.rglob("*.m*")):
        name = path.relative_to(root)
        if path.suffix == ".mlir" and name.parts[:2] != ("test", "bad"):
            yield name, path.read_text()
        if path.suffix == ".md":
            for block in re.findall(r"^```mlir\n(.*?)^```", path.read_text(), re.M | re.S):
                yield name, block


def main():
    seen = 0
    wrong = []
    for name, text in texts():
        seen += 1
        wrong += [f"{name}: error: no MLIR: {part!r}" for part in errors(text)]
    kinds = {part: kind for kind, part in MlirLexer().get_tokens(SAMPLE)}
    for part, kind in KINDS.items():
        if kinds.get(part) is not kind:
            wrong.append(f"{part!r} is {kinds.get(part)}, expected {kind}")
    if errors("%x = tg.abs ;") != [";"] or seen < 100:
        wrong.append(f"expected to find ';' and 100 texts, found {seen}")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
