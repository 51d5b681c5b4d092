#!/usr/bin/env python3
"""Writes files of data/ into a C table, so that the program needs no files of its own at run time."""
import pathlib
import sys


def c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


output, files = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
lines = ["/* Generated from data/. */", '#include "shared/base/data.h"', "", "#include <string.h>", ""]
lines += ["static const struct {", "    const char *name, *text;", "} entries[] = {"]
for file in files:
    lines.append(f"    {{{c_string(file.name)},")
    lines += [f"     {c_string(line)}" for line in file.read_text().splitlines(keepends=True)]
    lines[-1] += "},"
lines += ["};", "", "const char *hf_data_find(const char *name)", "{"]
lines += ["    for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)", "        if (strcmp(entries[i].name, name) == 0)"]
lines += ["            return entries[i].text;", "    return NULL;", "}", ""]
pathlib.Path(output).write_text("\n".join(lines))
