#!/usr/bin/env python3
"""Prints the numbers of tests that passed, failed and were skipped.

Reads the JSON of lit's --output or the XML of ctest's --output-junit. Fails if
there are no results.
"""

import argparse
import json
import sys
import xml.etree.ElementTree as xml


def lit_outcomes(path):
    """Yields passed, failed or skipped for each lit test."""
    outcomes = {"PASS": "passed", "FLAKYPASS": "passed", "XFAIL": "passed",
                "UNSUPPORTED": "skipped", "SKIPPED": "skipped", "EXCLUDED": "skipped"}
    with open(path, encoding="utf-8") as file:
        for test in json.load(file)["tests"]:
            yield outcomes.get(test["code"], "failed")


def ctest_outcomes(path):
    """Yields passed, failed or skipped for each test of ctest. A test that did
    not start counts as failed; only the test itself can report skipped."""
    for case in xml.parse(path).getroot().iter("testcase"):
        reason = case.find("skipped")
        if case.get("status") == "run":
            yield "passed"
        elif case.get("status") == "disabled" or (
                reason is not None and reason.get("message", "").startswith("SKIP_")):
            yield "skipped"
        else:
            yield "failed"


def main():
    parser = argparse.ArgumentParser(description="Prints the numbers of tests that passed, failed and were skipped.")
    parser.add_argument("results", help="of lit, .json, or of ctest, .xml")
    path = parser.parse_args().results
    outcomes = list(lit_outcomes(path) if path.endswith(".json") else ctest_outcomes(path))
    if not outcomes:
        sys.exit(f"error: {path} has no test")
    print(*(outcomes.count(kind) for kind in ("passed", "failed", "skipped")))


if __name__ == "__main__":
    main()
