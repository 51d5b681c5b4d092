#!/usr/bin/env python3
"""Writes what is made from the registry, the table of commands and the sources: docs/tools.md, docs/errors.md, parts of
docs/rules.md and docs/architecture.md, man/handfast.1, po/POTFILES and po/tables.c. scripts/make-reference.py PROGRAM [--check]"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMON = {"desktop", "timeout_ms", "run_id", "project", "idempotency_key", "dry_run", "reason"}


def kind(schema):
    if "enum" in schema:
        return " \\| ".join(f"`{choice}`" for choice in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(kind(form) for form in schema["anyOf"])
    if schema["type"] == "array":
        return f"array of {schema.get('items', {}).get('type', 'anything')}"
    return schema["type"]


def limits(schema):
    low, high = schema.get("minimum"), schema.get("maximum")
    words = [f"{low:g} to {high:g}"] if low is not None and high is not None else []
    if "default" in schema:
        words.append(f"default `{json.dumps(schema['default'])}`")
    return "; ".join(words)


def rows(schema, skip=()):
    required = schema.get("required", [])
    for name, value in schema["properties"].items():
        if name in skip and name not in required:
            continue
        about = value.get("description", "")
        if "anyOf" in value:
            value = {**value["anyOf"][0], **value}
        if value["type"] == "object" and "properties" in value:
            about += " {" + ", ".join(value["properties"]) + "}"
        elif value["type"] == "array" and "properties" in value.get("items", {}):
            about += " of {" + ", ".join(value["items"]["properties"]) + "}"
        yield name + ("*" if name in required else ""), kind(value), limits(value), about.replace("|", "\\|")


def reads(tool):
    return f", returns text of others ({', '.join(tool['reads'])})" if tool["reads"] else ""


def risks(tool):
    """The risk, and what it is elsewhere: inside a container, and for a command that is launched."""
    inside = f" (inside a container {tool['risk_inside']})" if tool["risk_inside"] != tool["risk"] else ""
    command = tool.get("command")
    told = f" (for a command {command['risk']}, level {command['level']}, unless inside a container)" if command else ""
    return tool["risk"] + inside + told


def markdown(tools):
    lines = ["# Tools", "", "Made from the registry by `make reference`; do not edit. `*` marks what is required.", "",
             "Every tool also takes `desktop` (default `main`), `timeout_ms`, `run_id`, `project`, `idempotency_key`, "
             "`dry_run` and `reason`.", ""]
    for tool in tools:
        lines += [f"## {tool['name']}", "", tool["description"], "",
                  f"Category {tool['category']}, risk {risks(tool)}, level {tool['level']}, needs {tool['needs']}, "
                  f"{'reads only' if tool['read_only'] else 'acts'}{reads(tool)}; time limit {tool['timeout_ms'] / 1000:g} s.", ""]
        parameters = list(rows(tool["params"], COMMON))
        if parameters:
            lines += ["| parameter | type | limits | |", "| --- | --- | --- | --- |"]
            lines += [f"| `{name}` | {type_} | {limit} | {about} |" for name, type_, limit, about in parameters]
            lines.append("")
        lines += ["| result | type | |", "| --- | --- | --- |"]
        lines += [f"| `{name.rstrip('*')}` | {type_} | {about} |" for name, type_, _, about in rows(tool["result"])]
        lines.append("")
    return "\n".join(lines)


def read_errors():
    """The one list of errors, as the compiler reads it: (code, retryable, status, suggestion)."""
    text = (ROOT / "src" / "shared" / "base" / "error-list.h").read_text().replace("\\\n", " ")
    found = re.findall(r'X\((\w+),\s*(TRUE|FALSE),\s*(\d+),\s*((?:"[^"]*"\s*)+)\)', text)
    assert len(found) == text.count("    X("), "a line of the list was not understood"
    return [(code, retryable, status, "".join(re.findall('"([^"]*)"', words))) for code, retryable, status, words in found]


def errors():
    lines = ["# Errors", "", "Made from `src/shared/base/error-list.h` by `make reference`; do not edit.", "",
             "A failed call answers `{\"ok\": false, \"error\": {\"code\", \"message\", \"retryable\", \"details\", "
             "\"suggestion\"}}`. The message says what is",
             "wrong, with the value. The suggestion says what to do next; the table has the usual one. The details have what a planner "
             "needs. Codes are stable.", "",
             "| code | HTTP | retryable | what to do next |", "| --- | --- | --- | --- |"]
    for code, retryable, status, suggestion in sorted(read_errors()):
        lines.append(f"| `{code}` | {status} | {'yes' if retryable == 'TRUE' else 'no'} | {suggestion} |")
    return "\n".join(lines) + "\n"


def marked_files():
    """po/POTFILES: the sources that mark texts for translation, and the texts that are in tables."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "src").glob("**/*.c"))
    found = subprocess.run(["xgettext", "--from-code=UTF-8", "--keyword=_", "--keyword=N_", "-o", "-", *files],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = {place.rsplit(":", 1)[0] for line in re.findall("^#: (.+)$", found, re.M) for place in line.split()}
    return "".join(f"{name}\n" for name in sorted(names | {"po/tables.c"}))


def help_texts(tools):
    """What the help of a tool says: what it is for, and of each parameter and result what it means."""
    members = (member for tool in tools for part in ("params", "result") for member in tool[part]["properties"].values())
    return {tool["description"] for tool in tools} | {member["description"] for member in members if member.get("description")}


def table_texts(tools):
    """po/tables.c: what a person reads and no source marks, since it stands in a table or a file of data."""
    profiles = json.loads((ROOT / "data" / "profiles.json").read_text())
    texts = {tool["title"] for tool in tools} | {tool["category"] for tool in tools} | help_texts(tools)
    texts |= {suggestion for *_, suggestion in read_errors()} | {profile["about"] for profile in profiles.values()}
    return ("/* Made by `make reference`; do not edit. Titles, categories and help of tools, suggestions of errors, profiles: for\n"
            " * xgettext alone, never compiled. */\n" + "".join(f"N_({json.dumps(text, ensure_ascii=False)})\n" for text in sorted(texts)))


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\n.", "\n\\&.")


def form(words):
    """One way to use a command: what is said as it is in bold, what stands for a value in italics."""
    def mark(match):
        word = match.group(0)
        font = "I" if word.isupper() else "B" if word.islower() else "R"
        return f"\\f{font}{roff(word)}\\fR"
    return re.sub(r"[^\s\[\]|=@:]+", mark, words)


def synopsis(commands):
    lines = []
    for command in commands:
        for words in command["usage"].split("\n"):
            lines += [".br", f"\\fBhandfast {command['name']}\\fR {form(words)}".rstrip()]
    return "\n".join(lines)


def man(tools, commands):
    head = (ROOT / "man" / "handfast.1.in").read_text()
    lines = []
    for tool in tools:
        lines += [".TP", f".B {roff(tool['name'])}", roff(tool["description"])]
        names = [f"\\fB\\-\\-{roff(name.rstrip('*'))}\\fR" + (" (required)" if name.endswith("*") else "")
                 for name, *_ in rows(tool["params"], COMMON)]
        if names:
            lines += [".br", "Parameters: " + ", ".join(names) + "."]
    about = "\n".join(f".TP\n.B {command['name']}\n{roff(command['about'])}." for command in commands)
    return (head.replace("@TOOLS@", "\n".join(lines)).replace("@SYNOPSIS@", synopsis(commands))
            .replace("@COMMANDS@", about))


def read_guard_steps():
    """The table of steps in src/desk/guard/guard.c: (name, question, who passes it, whether it runs afterwards, what it runs again)."""
    text = (ROOT / "src" / "desk" / "guard" / "guard.c").read_text()
    table = re.search(r"HfGuardStep step_table\[\] = \{\n(.*?)\n\};", text, re.S)[1]
    found = re.findall(r'\{"([\w-]+)",\s*"([^"]+)",\s*([A-Z_ |]+),\s*\.(run|run_after) = (\w+)(?:,\s*\.repeats = \{([^}]*)\})?\}', table)
    assert len(found) == table.count('    {"'), "a row of the table was not understood"
    for name, _, _, _, function, _ in found:
        assert function == f"hf_step_{name.replace('-', '_')}", f"the step {name} has the function {function}"
    return [(name, question, passers.split(" | "), place == "run_after", re.findall('"([^"]+)"', again))
            for name, question, passers, place, _, again in found]


def guard_steps():
    """The two tables of docs/architecture.md: what is asked of a call, and what is done whatever happened."""
    steps = read_guard_steps()
    kinds = ("CALL", "DRY_RUN", "LOOK", "FORECAST")

    def marks(passers, shown):
        return " | ".join("yes" if kind in passers else "" for kind in shown)
    lines = ["", "| step | question | call | dry run | look | forecast | runs again |", "| --- | --- | --- | --- | --- | --- | --- |"]
    lines += [f"| `{name}` | {question} | {marks(passers, kinds)} | {', '.join(f'`{other}`' for other in again)} |"
              for name, question, passers, afterwards, again in steps if not afterwards]
    lines += ["", "Afterwards, whatever happened:", "", "| step | question | call | dry run | look | handed to the background |",
              "| --- | --- | --- | --- | --- | --- |"]
    lines += [f"| `{name}` | {question} | {marks(passers, (*kinds[:3], 'BACKGROUND'))} |"
              for name, question, passers, afterwards, _ in steps if afterwards]
    return "\n".join(lines) + "\n"


def architecture_page():
    """docs/architecture.md with its tables of steps made anew."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    head, rest = text.split("<!-- guard steps -->", 1)
    return head + "<!-- guard steps -->\n" + guard_steps() + "\n<!-- end -->" + rest.split("<!-- end -->", 1)[1]


def rules_page(rules):
    """docs/rules.md with its table made anew."""
    text = (ROOT / "docs" / "rules.md").read_text()
    lines = ["| rule | looks at | risk | |", "| --- | --- | --- | --- |"]
    for rule in rules:
        marks = [word for word in ("ask_always", "overridable") if rule[word]]
        message = rule["message"].replace("|", "\\|") + (f" ({', '.join(marks)})" if marks else "")
        lines.append(f"| `{rule['id']}` | {rule['looks_at']} | {rule['risk']} | {message} |")
    head, rest = text.split("<!-- rules -->", 1)
    return head + "<!-- rules -->\n" + "\n".join(lines) + "\n<!-- end -->" + rest.split("<!-- end -->", 1)[1]


def main():
    program, check = sys.argv[1], "--check" in sys.argv
    tools = json.loads(subprocess.run([program, "tools", "--json"], capture_output=True, check=True).stdout)
    commands = json.loads(subprocess.run([program, "help", "--json"], capture_output=True, check=True).stdout)
    # Without the rules of whoever runs this.
    rules = json.loads(subprocess.run([program, "rules", "list", "--json", "--file", "no-such-file"],
                                      capture_output=True, check=True).stdout)
    stale = []
    for path, text in ((ROOT / "docs" / "tools.md", markdown(tools)), (ROOT / "man" / "handfast.1", man(tools, commands)),
                       (ROOT / "docs" / "errors.md", errors()), (ROOT / "docs" / "rules.md", rules_page(rules)),
                       (ROOT / "docs" / "architecture.md", architecture_page()),
                       (ROOT / "po" / "POTFILES", marked_files()), (ROOT / "po" / "tables.c", table_texts(tools))):
        if check and (not path.exists() or path.read_text() != text):
            stale.append(str(path))
        elif not check:
            path.write_text(text)
    if stale:
        sys.exit(f"out of date, run `make reference`: {', '.join(stale)}")


main()
