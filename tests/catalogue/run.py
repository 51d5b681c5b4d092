#!/usr/bin/env python3
"""`make catalogue`: runs all rows and writes docs/catalogue.md. Arguments: names of programs, for a part of it, which is
only printed; --short for the rows that CI runs, --tree or --pointer for those of one way."""
import sys

from driver import Catalogue
from programs import PROGRAMS
from table import tell, write


def main():
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    unknown = set(names) - {kind.name for kind in PROGRAMS}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    ways = [way for way in ("tree", "pointer") if f"--{way}" in sys.argv] or ["tree", "pointer"]
    part = names or any(word.startswith("--") for word in sys.argv)
    with Catalogue() as catalogue:
        outcomes = list(catalogue.run(names, tell=tell, chosen=lambda row: row["way"] in ways and (
            "--short" not in sys.argv or row.get("short"))))
        waiting = len(catalogue.waiting())
    wrong = [each for each in outcomes if not each.right]
    if not part:
        write(outcomes, waiting)
    false = sum(each.false_confirmation for each in outcomes)
    missed = sum(each.missed for each in outcomes)
    print(f"{len(outcomes)} rows, {len(outcomes) - len(wrong)} right, {len(wrong)} wrong, {false} false confirmations, "
          f"{missed} done without being noticed, {waiting} that no tool is there for")
    sys.exit(1 if wrong or not outcomes else 0)


main()
