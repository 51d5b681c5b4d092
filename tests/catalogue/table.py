"""The table of the catalogue: as lines while it runs, and as docs/catalogue.md."""
import pathlib

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "catalogue.md"
HEAD = """# The action catalogue

What Handfast does to real programs, and how it was verified. `make catalogue` runs every row on a virtual desktop and writes this page.
*Done* means that the program's own state shows it: a file that it saved, what its widgets recorded, its window, or its tree as an independent
process reads it (`tests/catalogue/witnesses`). *Nothing* means that nothing should happen and nothing did. A code is the error that the
caller gets; nothing happened. *Verdict* is what the last call itself said about its effect. Rows are data: `tests/catalogue/rows`.

"""


def calls(row):
    return ", ".join(tool for tool, _ in row["do"])


def said(outcome):
    """What is worth a look: what went wrong, or why a call did not notice what it had done."""
    if not outcome.right:
        return outcome.detail
    return "" if outcome.verdict == "confirmed" else outcome.why


def tell(outcome):
    row = outcome.row
    mark = "ok   " if outcome.right else "WRONG"
    print(f"{mark} {outcome.program:20} {row['verb']:10} {row['way']:8} {calls(row)[:34]:34} {outcome.got:12} {outcome.verdict:11} "
          f"{said(outcome)}", flush=True)


def witness_word(row):
    words = {"tree": "independent reader of the tree", "saved": "file saved by the program", "report": "recorded by the widget",
             "folder": "the folder", "sheet": "saved spreadsheet", "window": "the X server's windows"}
    return next(words[key] for key in row["witness"] if key in words)


def write(outcomes, waiting):
    confirmed = sum(each.verdict == "confirmed" for each in outcomes)
    false = sum(each.false_confirmation for each in outcomes)
    lines = [HEAD, f"{len(outcomes)} rows, {sum(each.right for each in outcomes)} as expected; {confirmed} confirmed by the call "
             f"itself, {false} of them falsely.{f' {waiting} more wait for their tools.' if waiting else ''}\n"]
    for name in dict.fromkeys(each.program for each in outcomes):
        rows = [each for each in outcomes if each.program == name]
        lines += [f"\n## {name} ({rows[0].toolkit})\n\n", "| verb | by | calls | result | verdict | witness | |\n",
                  "| --- | --- | --- | --- | --- | --- | --- |\n"]
        lines += [f"| {each.row['verb']} | {each.row['way']} | {calls(each.row)} | {came_to(each)} | {each.verdict or '-'} | "
                  f"{witness_word(each.row)} | {each.row.get('why', '')} |\n" for each in rows]
    PAGE.write_text("".join(lines))


def came_to(outcome):
    word = outcome.got if outcome.got in ("done", "nothing") else f"`{outcome.got}`"
    return word if outcome.right else f"**{word}**, not {outcome.row['expect']}"
