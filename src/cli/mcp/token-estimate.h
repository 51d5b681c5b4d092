/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates how many tokens a model is charged for a text. */
#pragma once

#include <glib.h>

/* Right within a few per cent for English and JSON, and too high rather than too low: a word is
 * one token (long ones two or three), and so are three digits or four symbols in a row. A test
 * compares it with a real tokenizer. */
gsize hf_token_estimate(const char *text);
