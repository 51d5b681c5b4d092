#!/usr/bin/env python3
"""`make catalogue`: runs all rows and writes docs/catalogue.md. Arguments: names of programs, for a part of it, which is
only printed; --short for the rows that CI runs."""
import sys

from driver import Catalogue
from table import tell, write


def main():
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    unknown = set(names) - {kind.name for kind in __import__("programs").PROGRAMS}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    short = "--short" in sys.argv
    with Catalogue() as catalogue:
        outcomes = list(catalogue.run(names, chosen=lambda row: not short or row.get("short"), tell=tell))
    wrong = [each for each in outcomes if not each.right]
    if not names and not short:
        write(outcomes)
    false = sum(each.false_confirmation for each in outcomes)
    missed = sum(each.missed for each in outcomes)
    print(f"{len(outcomes)} rows, {len(outcomes) - len(wrong)} right, {len(wrong)} wrong, {false} false confirmations, "
          f"{missed} done without being noticed")
    sys.exit(1 if wrong or not outcomes else 0)


main()
