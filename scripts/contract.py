#!/usr/bin/env python3
"""The contract: scripts/contract.py PROGRAM        says what has changed since the last snapshot
                  scripts/contract.py PROGRAM --write  takes a new snapshot, when the version was raised enough
See docs/contract.md."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SNAPSHOT = ROOT / "tests" / "e2e" / "contract.json"
COMPATIBLE, BREAKING = "compatible", "breaking"


def strip(schema):
    """A schema without the words that are for people."""
    if isinstance(schema, dict):
        return {key: ({name: strip(value) for name, value in inner.items()} if key == "properties" else strip(inner))
                for key, inner in schema.items() if key != "description"}
    return [strip(item) for item in schema] if isinstance(schema, list) else schema


def read_errors():
    text = (ROOT / "src" / "shared" / "base" / "error-list.h").read_text()
    return {code: {"retryable": retryable == "TRUE", "status": int(status)}
            for code, retryable, status in re.findall(r"X\((\w+), (TRUE|FALSE), (\d+),", text)}


def read_words(usage):
    """What may be said to a command: its verbs, flags and choices."""
    words = re.split(r"[\s\[\]|.]+", usage)
    return sorted({word for word in words if word.startswith("--") or word.islower()})


def write_snapshot(contract):
    """An entry a line, so that a change is a line."""
    parts = []
    for part, content in sorted(contract.items()):
        pairs = content.items() if isinstance(content, dict) else None
        if pairs and part != "config":
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value, sort_keys=True, ensure_ascii=False)}"
                               for name, value in sorted(pairs))
            parts.append(f" {json.dumps(part)}: {{\n{inner}\n }}")
        elif part == "config":
            inner = ",\n".join(f"   {json.dumps(name)}: {json.dumps(value, sort_keys=True, ensure_ascii=False)}"
                               for name, value in sorted(content["properties"].items()))
            rest = {key: value for key, value in content.items() if key != "properties"}
            parts.append(f" \"config\": {{{json.dumps(rest, sort_keys=True)[1:-1]}, \"properties\": {{\n{inner}\n }}}}")
        else:
            parts.append(f" {json.dumps(part)}: {json.dumps(content, ensure_ascii=False)}")
    text = "{\n" + ",\n".join(parts) + "\n}\n"
    assert json.loads(text) == contract
    SNAPSHOT.write_text(text)


def current(program):
    """The contract as the program and its sources have it."""
    def ask(*words):
        return json.loads(subprocess.run([program, *words, "--json"], capture_output=True, check=True).stdout)

    described = json.loads(subprocess.run([program, "serve", "--describe"], capture_output=True, check=True).stdout)
    version = re.search(r'HF_CONTRACT "([\d.]+)"', (ROOT / "src" / "shared" / "tool" / "contract-version.h").read_text()).group(1)
    return {
        "version": version,
        "tools": {tool["name"]: {"aliases": sorted(tool["aliases"]), "params": strip(tool["params"]),
                                 "result": strip(tool["result"])} for tool in ask("tools")},
        "errors": read_errors(),
        "exit_codes": {"ok": 0, "failed": 1, "usage": 2, "no_desk": 3},
        "commands": {entry["name"]: read_words(entry["usage"]) for entry in ask("help")},
        "methods": {name: strip(schema) for name, schema in described["methods"].items()},
        "routes": {name: strip(schema) for name, schema in described["routes"].items()},
        "method_results": {name: strip(schema) for name, schema in described["results"].items()},
        "route_answers": {name: strip(schema) for name, schema in described["answers"].items()},
        "events": {name: sorted(members) for name, members in described["events"].items()},
        "config": strip(ask("config", "schema")),
    }


def compare_lists(path, old, new):
    for item in sorted(set(old) - set(new)):
        yield BREAKING, f"{path}: '{item}' is gone"
    for item in sorted(set(new) - set(old)):
        yield COMPATIBLE, f"{path}: '{item}' is new"


# Of limits: whether a larger number lets more through.
WIDENS = {"maximum": True, "maxLength": True, "maxItems": True, "maxProperties": True,
          "minimum": False, "minLength": False, "minItems": False, "minProperties": False}


def compare_limit(path, key, old, new, given):
    looser = new is None or (old is not None and (new > old) == WIDENS[key])
    # What is given to us may be more than before, what we give must not be.
    yield COMPATIBLE if looser == given else BREAKING, f"{path}: {key} was {old}, is {new}"


def compare_schemas(path, old, new, given):
    """`given`: by callers to us (parameters, configuration); else by us to callers (results)."""
    for key in sorted(set(old) | set(new)):
        one, other = old.get(key), new.get(key)
        if one == other:
            continue
        if key == "properties":
            yield from compare_properties(path, one or {}, other or {}, set(new.get("required", [])), given)
        elif key == "required":
            wanted, lost = set(other or []) - set(one or []), set(one or []) - set(other or [])
            for name in sorted(wanted & set(old.get("properties", {}))):
                yield BREAKING if given else COMPATIBLE, f"{path}.{name} is required now"
            for name in sorted(lost & set(new.get("properties", {}))):
                yield COMPATIBLE if given else BREAKING, f"{path}.{name} is not required any more"
        elif key in ("items", "additionalProperties") and isinstance(one, dict) and isinstance(other, dict):
            yield from compare_schemas(f"{path}[]", one, other, given)
        elif key == "enum" and one and other:
            yield from compare_lists(path, one, other)
        elif key in WIDENS:
            yield from compare_limit(path, key, one, other, given)
        elif key == "anyOf" and one and other and len(one) <= len(other) and one == other[: len(one)]:
            yield COMPATIBLE, f"{path}: another form is taken"
        else:
            yield BREAKING, f"{path}: {key} was {json.dumps(one)}, is {json.dumps(other)}"


def compare_properties(path, old, new, required, given):
    for name in sorted(set(old) - set(new)):
        yield BREAKING, f"{path}.{name} is gone"
    for name in sorted(set(new) - set(old)):
        must = given and name in required
        yield BREAKING if must else COMPATIBLE, f"{path}.{name} is new" + (" and required" if must else "")
    for name in sorted(set(old) & set(new)):
        yield from compare_schemas(f"{path}.{name}", old[name], new[name], given)


def compare(old, new):
    """What has changed, as (compatible or breaking, a sentence)."""
    for part in ("tools", "errors", "commands", "methods", "routes", "events"):
        yield from compare_lists(part, old[part], new[part])
    for part in ("methods", "routes"):
        for name in sorted(set(old[part]) & set(new[part])):
            yield from compare_schemas(name, old[part][name], new[part][name], True)
    for part in ("method_results", "route_answers"):
        # The first snapshot that had them may be newer than the one that is compared with.
        before = old.get(part, {})
        yield from compare_lists(part, before, new[part])
        for name in sorted(set(before) & set(new[part])):
            yield from compare_schemas(f"{name} result", before[name], new[part][name], False)
    for name in sorted(set(old["events"]) & set(new["events"])):
        yield from compare_lists(f"event {name}", old["events"][name], new["events"][name])
    for name in sorted(set(old["commands"]) & set(new["commands"])):
        yield from compare_lists(f"handfast {name}", old["commands"][name], new["commands"][name])
    for name in sorted(set(old["tools"]) & set(new["tools"])):
        one, other = old["tools"][name], new["tools"][name]
        yield from compare_lists(f"{name}, aliases", one["aliases"], other["aliases"])
        yield from compare_schemas(name, one["params"], other["params"], True)
        yield from compare_schemas(f"{name} result", one["result"], other["result"], False)
    for part in ("errors", "exit_codes"):
        for name in sorted(set(old[part]) & set(new[part])):
            if old[part][name] != new[part][name]:
                yield BREAKING, f"{part}: {name} was {json.dumps(old[part][name])}, is {json.dumps(new[part][name])}"
    yield from compare_schemas("config", old["config"], new["config"], True)


def needed_version(version, changes):
    """The version that these changes ask for, at least."""
    major, minor = map(int, version.split("."))
    kinds = {kind for kind, _ in changes}
    return (major + 1, 0) if BREAKING in kinds else (major, minor + 1) if kinds else (major, minor)


def judge(old, new):
    """What to tell whoever has changed something; "" when all is well."""
    changes = list(compare(old, new))
    needed, has = needed_version(old["version"], changes), tuple(map(int, new["version"].split(".")))
    if not changes and has == needed:
        return ""
    lines = [f"{kind}: {sentence}" for kind, sentence in changes] or ["nothing has changed but the version"]
    if has < needed:
        lines.append(f"Set HF_CONTRACT to \"{needed[0]}.{needed[1]}\" in src/shared/tool/contract-version.h (docs/contract.md), then: make contract")
    else:
        lines.append("The version was raised; take the snapshot: make contract")
    return "\n".join(lines)


def main():
    program, write = sys.argv[1], "--write" in sys.argv
    new = current(program)
    old = json.loads(SNAPSHOT.read_text()) if SNAPSHOT.exists() else None
    told = judge(old, new) if old else "there is no snapshot yet"
    if told:
        print(told)
    if write and not (old and "Set HF_CONTRACT" in told):
        write_snapshot(new)
    elif told:
        sys.exit(1)


if __name__ == "__main__":
    main()
