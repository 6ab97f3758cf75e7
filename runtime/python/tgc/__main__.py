"""Prints facts about the package: python -m tgc --version."""

import argparse
import pathlib
import sys

import tgc


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser("python -m tgc", description=__doc__)
    parser.add_argument("--version", action="version", version=f"tgc {tgc.__version__}")
    parser.add_argument(
        "--cmake-dir",
        action="store_true",
        help="print the directory for find_package(tg) of CMake: -Dtg_DIR=",
    )
    parser.add_argument(
        "--models", action="store_true", help="print the compiled models to try"
    )
    parser.add_argument(
        "--describe", metavar="MODEL", help="print the functions of a compiled model"
    )
    arguments = parser.parse_args()
    if arguments.cmake_dir:
        print(pathlib.Path(tgc.__file__).parent / "lib" / "cmake" / "tg")
    if arguments.models:
        for name in tgc.models.names():
            print(tgc.models.path(name))
    if arguments.describe:
        try:
            print(tgc.load(arguments.describe))
        except tgc.Error as error:
            sys.exit(f"error: {error}")
    if not any(vars(arguments).values()):
        parser.print_help()


if __name__ == "__main__":
    main()
