"""The house rules of docs/architecture.md, checked: processes, layers, names, sizes, format, no loose ends."""
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"

# A process includes itself and what all share. The command line also reads the desk's records and policy where no desk runs.
PROCESSES = {"shared": ["shared"], "desk": ["shared", "desk"], "hand": ["shared", "hand"], "stage": ["shared", "stage"],
             "proxy": ["shared", "proxy"],
             "cli": ["shared", "cli", "desk/policy", "desk/records"]}
# Within a process each folder includes itself, those on its line and those above.
LAYERS = {"shared": [["base"], ["process", "text", "image"], ["wire", "network"], ["tool"], ["shell-parser"], ["rules"]],
          "desk": [["policy"], ["records"], ["guard"], ["desktops"], ["doors"], ["main"]],
          "hand": [["desktop", "safety", "apps"], ["x11"], ["atspi"], ["pixels"], ["locate"], ["shell"], ["files"], ["browser"], ["verify"],
                   ["tools"], ["main"]]}
# The only place that knows which back end there is.
CHOOSES_BACK_END = "src/hand/desktop/desktop.c"

FILE_LINES = 600
FOLDER_FILES = 40
FUNCTION_LINES = 60
MEDIAN_FUNCTION_LINES = 15
SHARED_NAMES_PERCENT = 8
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 */\n"


def sources(pattern="**/*.[ch]"):
    return sorted(SOURCE.glob(pattern))


def includes(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.M)


def process_of(path):
    return path.relative_to(SOURCE).parts[0]


def test_processes_stay_apart():
    wrong = [f"{path.relative_to(ROOT)} includes {target}" for path in sources() if path.parent != SOURCE
             for target in includes(path)
             if not any(target.startswith(folder + "/") for folder in PROCESSES[process_of(path)])]
    assert not wrong, "\n".join(wrong)


def test_layers():
    wrong = []
    for path in sources():
        process, *folders = path.relative_to(SOURCE).parts
        order = LAYERS.get(process)
        if not order or len(folders) < 2 or str(path.relative_to(ROOT)) == CHOOSES_BACK_END:
            continue
        height = next(number for number, level in enumerate(order) if folders[0] in level)
        allowed = {f"{process}/{folder}" for level in order[: height + 1] for folder in level}
        wrong += [f"{path.relative_to(ROOT)} includes {target}" for target in includes(path)
                  if target.startswith(process + "/") and "/".join(target.split("/")[:2]) not in allowed]
    assert not wrong, "\n".join(wrong)


def test_every_folder_is_in_the_architecture():
    described = (ROOT / "docs" / "architecture.md").read_text()
    folders = {str(path.parent.relative_to(ROOT)) for path in sources("**/*.c") if path.parent != SOURCE}
    missing = sorted(folder for folder in folders if f"`{folder}/`" not in described)
    assert not missing, f"give each of these a row in docs/architecture.md: {missing}"


def test_folders_are_short():
    count = collections.Counter(str(path.parent.relative_to(ROOT)) for path in sources())
    long = {folder: files for folder, files in count.items() if files > FOLDER_FILES}
    assert not long, long
    assert len([path for path in SOURCE.iterdir() if path.is_dir()]) <= 7


def test_no_file_name_twice_within_a_process():
    names = collections.Counter((process_of(path), path.name) for path in sources() if path.parent != SOURCE)
    twice = [name for name, count in names.items() if count > 1]
    assert not twice, twice


def test_files_name_their_licence():
    silent = [str(path.relative_to(ROOT)) for folder in ("src", "tests", "bench") for path in sorted((ROOT / folder).rglob("*.[ch]"))
              if "node_modules" not in path.parts and not path.read_text().startswith(LICENCE)]
    assert not silent, "\n".join(silent)


def test_includes_name_their_folder():
    wrong = [f"{path}: {target}" for path in sources() if path.parent != SOURCE for target in includes(path) if "/" not in target]
    assert not wrong, "\n".join(wrong)


def test_files_are_short():
    long = [f"{path.relative_to(ROOT)}: {count} lines" for path in sources()
            if (count := len(path.read_text().splitlines())) > FILE_LINES]
    assert not long, "\n".join(long)


def functions(path):
    """(name, whether it is static, number of lines) of each function, by the format that clang-format keeps."""
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        if line != "{":
            continue
        first = next((back for back in range(number - 1, max(number - 15, -1), -1) if re.match(r"[A-Za-z_].*\(", lines[back])), None)
        if first is None or "=" in lines[first].split("(")[0]:
            continue
        name = re.match(r".*?\b([A-Za-z_]\w*)\(", lines[first])[1]
        static = lines[first].startswith("static") or (lines[first - 1].startswith("static") and lines[first - 1][-1] not in ";}")
        yield name, static, lines.index("}", number) - number + 1


def test_functions_are_short():
    lengths = [(count, path, name) for path in sources("**/*.c") for name, _, count in functions(path)]
    long = [f"{path.relative_to(ROOT)}: {name} has {count} lines" for count, path, name in lengths if count > FUNCTION_LINES]
    assert not long, "\n".join(long)
    assert statistics.median(count for count, _, _ in lengths) <= MEDIAN_FUNCTION_LINES


def test_functions_say_what_they_do():
    """In a stack trace and to a search. Only a tool's `run` is called by one word."""
    wrong = [f"{path.relative_to(ROOT)}: {name}" for path in sources("**/*.c") for name, static, _ in functions(path)
             if static and "_" not in name and not (name == "run" and "tools" in path.parts)]
    assert not wrong, "\n".join(wrong)


def test_function_names_stand_in_one_file():
    files = collections.defaultdict(set)
    count = 0
    for path in sources("**/*.c"):
        for name, _, _ in functions(path):
            files[name].add(path)
            count += 1
    shared = {name: len(where) for name, where in files.items() if len(where) > 1}
    assert sum(shared.values()) * 100 <= SHARED_NAMES_PERCENT * count, sorted(shared.items(), key=lambda item: -item[1])[:40]


def test_every_file_says_what_it_is_for():
    silent = [str(path.relative_to(ROOT)) for path in sources() if not path.read_text().removeprefix(LICENCE).startswith("/*")]
    assert not silent, "\n".join(silent)


def test_files_that_comments_and_documents_name_exist():
    """A path of src in a comment, in the documents or in a script. Decisions tell history, and may name what is gone."""
    names = {str(path.relative_to(ROOT)) for path in ROOT.glob("src/**/*.*")} | {str(path.relative_to(SOURCE)) for path in sources()}
    folders = "|".join(path.name for path in SOURCE.iterdir() if path.is_dir())
    places = sources() + sorted((ROOT / "docs").glob("*.md")) + sorted((ROOT / "scripts").glob("*.py"))
    named = re.compile(rf"(?<![\w/.-])(?:src/)?(?:{folders})/[\w/-]+\.[ch]\b")
    made = {"cli/completion-bash.h", "cli/completion-zsh.h", "cli/completion-fish.h", "stage/openbox-rc.h"}
    gone = [f"{path.relative_to(ROOT)} names {name}" for path in places for name in named.findall(path.read_text())
            if name not in names and f"src/{name}" not in names and name not in made]
    assert not gone, "\n".join(gone)


def test_no_loose_ends():
    marks = [f"{path.relative_to(ROOT)}: {word}" for path in sources()
             for word in re.findall(r"\b(TODO|FIXME|XXX|HACK)\b", path.read_text())]
    assert not marks, "\n".join(marks)


def test_no_hidden_arguments():
    """What a function needs comes in through its parameters: a thread that nobody has set up would have no fence."""
    hidden = [f"{path.relative_to(ROOT)}: {word}" for path in sources()
              for word in re.findall(r"\b(GPrivate|g_private_\w+|_Thread_local|thread_local|__thread|pthread_[sg]etspecific)\b", path.read_text())]
    assert not hidden, "\n".join(hidden)


# What acts or looks without a call, and so without a fence: each is a hole, and says why in its argument.
UNFENCED = {"password-fields.c": 1}


def test_holes_in_the_fence_are_known():
    others = [path for path in sources("**/*.c") if path.name != "call-context.c"]
    holes = {path.name: count for path in others if (count := len(re.findall(r"\bhf_call_context_new_unfenced\(", path.read_text())))}
    assert holes == UNFENCED
    assert [path.name for path in others if re.search(r"\bhf_call_context_new\(", path.read_text())] == ["jobs.c"]


def test_no_leftovers_of_tools():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    left = [name for name in tracked if re.search(r"(\.orig|\.rej|\.bak|\.swp|~)$", name)]
    assert not left, left


def test_guard_decides_by_declared_facts():
    wrong = [str(path) for path in sources("desk/guard/**/*.c") + sources("desk/doors/**/*.c")
             if re.search(r"(strcmp|str_equal|strcmp0)\s*\([^)]*tool->name", path.read_text())]
    assert not wrong, wrong


def guard_step_rows():
    """The rows of the table in src/desk/guard/guard.c: (name, "run" or "run_after", function, what it runs again)."""
    text = (SOURCE / "desk" / "guard" / "guard.c").read_text()
    table = re.search(r"HfGuardStep step_table\[\] = \{\n(.*?)\n\};", text, re.S)[1]
    rows = re.findall(r'\{"([\w-]+)",[^{}]*?\.(run|run_after) = (\w+)(?:,\s*\.repeats = \{([^}]*)\})?\}', table)
    assert len(rows) == table.count('    {"') > 20, "a row of the table was not understood"
    return [(name, place, function, re.findall('"([^"]+)"', again)) for name, place, function, again in rows]


def test_each_step_of_the_guard_is_a_row_and_a_file():
    rows = guard_step_rows()
    names = [name for name, *_ in rows]
    assert sorted(names) == sorted(path.stem for path in sources("desk/guard/steps/*.c"))
    for name, _, function, _ in rows:
        assert function == f"hf_step_{name.replace('-', '_')}"
        defined = re.findall(r"^\w+ (hf_step_\w+)\(HfPassage", (SOURCE / "desk" / "guard" / "steps" / f"{name}.c").read_text(), re.M)
        assert defined == [function], f"{name}.c defines {defined}"
    declared = re.findall(r"\b(hf_step_\w+)\(HfPassage", (SOURCE / "desk" / "guard" / "steps" / "steps.h").read_text())
    assert declared == [function for _, _, function, _ in rows], "the header lists the steps in the order of the table"


def test_steps_of_the_guard_run_only_earlier_ones_again():
    rows = guard_step_rows()
    names, places = [name for name, *_ in rows], [place for _, place, *_ in rows]
    assert places == sorted(places), "what runs afterwards comes last"
    for name, _, _, again in rows:
        order = [names.index(other) for other in again]
        assert order == sorted(order) and all(place < names.index(name) for place in order), f"{name} runs {again} again"


def test_format():
    files = subprocess.run(["git", "ls-files", "src/*.[ch]", "src/**/*.[ch]", "tests/**/*.[ch]", "bench/*.[ch]"],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    files = [name for name in files if (ROOT / name).exists()]
    result = subprocess.run(["clang-format", "--dry-run", "--Werror", *files], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[:3000]


def test_reference_is_up_to_date():
    program = os.environ.get("HANDFAST", str(ROOT / "build" / "handfast"))
    result = subprocess.run(["/usr/bin/python3", ROOT / "scripts" / "make-reference.py", program, "--check"],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_no_process_carries_what_few_need():
    """Every process of ours maps all that the program is linked with. These are large, and src/desk/records/evidence/run-export.c, src/hand/pixels/ocr/tesseract.c and
    src/desk/doors/http/server/libsoup.c load them."""
    program = os.environ.get("HANDFAST", str(ROOT / "build" / "handfast"))
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    assert "libglib-2.0" in linked and not re.findall(r"lib(?:archive|xml2|icu\w+|tesseract|lept|spng|soup-3.0|krb5|nghttp2)\.so", linked)


def translated():
    """The texts that po/zh_CN.po has a translation for. gettext may write a text on several lines."""
    text = re.sub(r'"\n"', "", (ROOT / "po" / "zh_CN.po").read_text())
    return {key for key, value in re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', text, re.M) if value}


def help_texts(tools):
    """What the help of tools says of them, their parameters and their results."""
    members = [member for tool in tools for part in ("params", "result") for member in tool[part]["properties"].values()]
    return {tool["description"] for tool in tools} | {member["description"] for member in members if "description" in member}


def test_what_a_person_reads_is_translated():
    program = os.environ.get("HANDFAST", str(ROOT / "build" / "handfast"))
    tools = json.loads(subprocess.run([program, "tools", "--json"], capture_output=True, check=True).stdout)
    shown = {tool["title"] for tool in tools} | {tool["category"] for tool in tools}
    shown |= {json.dumps(text, ensure_ascii=False)[1:-1] for text in help_texts(tools)}
    shown |= set(re.findall(r'X\([A-Z_]+, \w+, \d+,\s*\\?\s*"([^"]+)"\)', (SOURCE / "shared" / "base" / "error-list.h").read_text()))
    for path in sources("cli/*.c") + sources("desk/main/serve.c"):
        shown |= {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', call))
                  for call in re.findall(r'\bN?_\(((?:\s*"(?:[^"\\]|\\.)*")+)\)', path.read_text())}
    assert len(shown) > 350
    missing = sorted(shown - translated())
    assert not missing, f"run `make reference`, then give each of these a msgid and a Chinese msgstr in po/zh_CN.po: {missing}"


def messages(catalogue):
    """The texts of a catalogue or template."""
    text = subprocess.run(["msgattrib", "--no-wrap", catalogue], capture_output=True, text=True, check=True).stdout
    joined = re.sub(r'^msgid ""\n((?:".*"\n)+)', lambda found: 'msgid "' + "".join(re.findall(r'^"(.*)"$', found[1], re.M)) + '"\n',
                    text, flags=re.M)
    return set(re.findall(r'^msgid "(.+)"$', joined, re.M))


def test_translators_are_given_every_text(tmp_path):
    """What xgettext finds in po/POTFILES, as `meson compile handfast-update-po` does, is what there is to translate."""
    template = tmp_path / "handfast.pot"
    subprocess.run(["xgettext", "--from-code=UTF-8", "--keyword=_", "--keyword=N_", "-f", "po/POTFILES", "-o", template],
                   cwd=ROOT, check=True)
    given, there = messages(template), messages(ROOT / "po" / "zh_CN.po")
    assert not given - there, f"give each of these a msgid and a Chinese msgstr in po/zh_CN.po: {sorted(given - there)}"
    assert not there - given, f"nothing says these any more, take them out of po/zh_CN.po: {sorted(there - given)}"


def test_the_catalogue_is_complete(tmp_path):
    """Every text that is marked for translation anywhere in the program has one, and none is in doubt."""
    files = [str(path) for path in sources("**/*.c")]
    template = tmp_path / "handfast.pot"
    subprocess.run(["xgettext", "--from-code=UTF-8", "--language=C", "--keyword=_", "--keyword=N_", "-o", template, *files], check=True)
    merged = tmp_path / "zh_CN.po"
    subprocess.run(["msgmerge", "--quiet", "--no-fuzzy-matching", "-o", merged, ROOT / "po" / "zh_CN.po", template], check=True)
    environment = {**os.environ, "LC_ALL": "C"}
    for catalogue in (merged, ROOT / "po" / "zh_CN.po"):
        told = subprocess.run(["msgfmt", "--check-format", "--statistics", "-o", os.devnull, catalogue], env=environment,
                              capture_output=True, text=True)
        assert told.returncode == 0 and re.fullmatch(r"\d+ translated messages\.", told.stderr.strip()), \
            told.stderr + subprocess.run(["msgattrib", "--untranslated", catalogue], capture_output=True, text=True).stdout
