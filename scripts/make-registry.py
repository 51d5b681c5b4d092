#!/usr/bin/env python3
"""Writes the table of all tools from the list in src/hand/tools/meson.build. What a tool must say of itself and C would let it
leave out is asked for here: a tool that does not say it is not built."""
import pathlib
import sys

output, tools = sys.argv[1], sys.argv[2:]
DECLARED = ["category", "risk", "level", "needs", "channel", "reads", "effects", "target", "pace", "verifies"]
for tool in tools:
    text = (pathlib.Path(__file__).parent.parent / "src/hand/tools" / (tool + ".c")).read_text()
    missing = [fact for fact in DECLARED if f".{fact} =" not in text]
    if missing:
        sys.exit(f"src/hand/tools/{tool}.c does not declare {', '.join(missing)}: see src/shared/tool/tool.h")
names = [pathlib.PurePath(tool).name for tool in tools]
lines = ["/* Generated from src/hand/tools/meson.build. */", '#include "shared/tool/registry.h"', "", "#include <string.h>", ""]
lines += [f"extern const HfTool hf_tool_{name};" for name in names]
lines += ["", "static const HfTool *const tools[] = {"]
lines += [f"    &hf_tool_{name}," for name in names]
lines += ["    NULL,", "};", "", "const HfTool *const *hf_registry(void)", "{", "    return tools;", "}", ""]
pathlib.Path(output).write_text("\n".join(lines))
