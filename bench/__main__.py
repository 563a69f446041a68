"""`python -m bench`: starts real servers on this machine alone and prints what they can do beside what they should."""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

from bench.machine import Failed, raise_limits
from bench.report import Report

PARTS = ("geometry", "load", "page")


def main() -> int:
    """Measure what is asked for; 1 when something could not be measured at all."""
    parser = argparse.ArgumentParser("bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"any of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--ramp", action="store_true", help="add tables until the p99 of a drag passes 100 ms")
    parser.add_argument("--quick", action="store_true", help="a few seconds of everything, to see that it runs")
    chosen = parser.parse_args()
    unknown = set(chosen.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    raise_limits()
    start = perf_counter()
    report = Report()
    failed = False
    for part in chosen.parts or PARTS:
        try:
            _measure(part, report, quick=chosen.quick, ramp=chosen.ramp)
        except Failed as wrong:
            report.note(f"failed: {wrong}")
            failed = True
    print(f"\n{report.missed} of the aims missed; {perf_counter() - start:.0f} s")
    return int(failed)


def _measure(part: str, report: Report, *, quick: bool, ramp: bool) -> None:
    if part == "geometry":
        from bench.geometry import geometry

        geometry(report, quick=quick)
    elif part == "load":
        from bench.load import load

        load(report, quick=quick, ramp=ramp)
    else:
        from bench.page import page

        page(report, quick=quick)


if __name__ == "__main__":
    sys.exit(main())
