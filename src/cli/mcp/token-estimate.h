/* SPDX-License-Identifier: Apache-2.0 */
/* About how many tokens a model is charged for a text. */
#pragma once

#include <glib.h>

/* An estimate that is right within a few per cent for English and JSON, and rather too high than
 * too low: a word is a token (long ones two or three), so are three digits, and four signs in a
 * row. A test holds it against a real tokenizer. */
gsize hf_token_estimate(const char *text);
