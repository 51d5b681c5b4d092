#!/usr/bin/env python3
"""Writes a text file as a C header: one constant string of the given name."""
import pathlib
import sys

source, output, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
quote = str.maketrans({"\\": "\\\\", '"': '\\"', "?": "\\?"})
lines = [f"/* Generated from {source.name}. */", "#pragma once", "", f"static const char {name}[] ="]
lines += [f'    "{line.translate(quote)}\\n"' for line in source.read_text().splitlines()]
output.write_text("\n".join(lines) + ";\n")
