"""Opens every bad input of test/bad in tg-lsp-server: bad_inputs.py <root>

The server must show the diagnostics that tgc must print, at the same lines, and
outlive all of them.
"""

import pathlib
import sys

root = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path[:0] = [str(root / "test/bad"), str(root / "test/tools/tg-lsp-server")]
from client import Client  # noqa: E402
from run import FileCase, all_cases  # noqa: E402

# Longer texts than editors open take their time; test/bad gives them to tgc.
LONGEST = 1 << 20
# Errors of phases that the server does not run.
LATE = {"24-inputs-4097"}


def text_of(case):
    """Returns the text of an input, or None if an editor cannot send it."""
    try:
        data = pathlib.Path(case.path).read_bytes() if isinstance(case, FileCase) else case.data
        return data.decode() if data is not None and len(data) < LONGEST else None
    except UnicodeDecodeError:
        return None


def complaints(case, found):
    """Yields the complaints about the diagnostics of an input."""
    errors = [diagnostic for diagnostic in found if diagnostic["severity"] == 1]
    if not isinstance(case, FileCase):
        if not errors and case.located and case.name not in LATE:
            yield "expected an error, found none"
        return
    if case.accepted:
        if errors:
            yield f"expected no error, found {errors[0]['message']}"
        return
    messages = "\n".join("error: " + error["message"] for error in errors)
    messages += "".join("\nnote: " + note["message"] for error in errors
                        for note in error.get("relatedInformation", []))
    for fragment in case.expected:
        if fragment not in messages:
            yield f"expected '{fragment}', found: {messages}"
    if case.line and case.line - 1 not in [error["range"]["start"]["line"] for error in errors]:
        yield f"expected an error in line {case.line}, found: {errors}"


def main():
    client = Client()
    seen = wrong = 0
    for case in all_cases(str(root / "examples/mlir")):
        text = text_of(case)
        if text is None:
            continue
        seen += 1
        for complaint in complaints(case, client.open(text)):
            wrong += 1
            print(f"{case.name}: {complaint[:400]}")
    status = client.end()
    print(f"{seen} texts, {wrong} complaints, status {status}")
    sys.exit(wrong > 0 or status != 0 or seen < 300)


main()
