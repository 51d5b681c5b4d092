#!/usr/bin/env python3
"""Writes the table of all tools from the list in src/tools/meson.build."""
import pathlib
import sys

output, tools = sys.argv[1], sys.argv[2:]
names = [pathlib.PurePath(tool).name for tool in tools]
lines = ["/* Generated from src/tools/meson.build. */", '#include "tool/registry.h"', "", "#include <string.h>", ""]
lines += [f"extern const HfTool hf_tool_{name};" for name in names]
lines += ["", "static const HfTool *const tools[] = {"]
lines += [f"    &hf_tool_{name}," for name in names]
lines += ["    NULL,", "};", "", "const HfTool *const *hf_registry(void)", "{", "    return tools;", "}", ""]
pathlib.Path(output).write_text("\n".join(lines))
