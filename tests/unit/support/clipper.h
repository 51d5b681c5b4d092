/* SPDX-License-Identifier: Apache-2.0 */
/* Driving tests/apps/clipper.py (a GTK 3 program with a text view) from a test, and the small
 * things that tests of the clipboard share. Every wait has a limit. */
#pragma once

#include "shared/base/json.h"

typedef struct Clipper Clipper;

/* Returns when its window is there. */
Clipper *clipper_start(void);
/* Ends it; what it owned is gone then. */
void clipper_free(Clipper *clipper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Clipper, clipper_free)

guint32 clipper_window(const Clipper *clipper);
/* Sends a command made as by json_pack and returns the answer. */
json_t *clipper_ask(Clipper *clipper, const char *format, ...);
/* Its text when it has become `text` within a few seconds; aborts when it does not. */
void clipper_assert_text(Clipper *clipper, const char *text);

/* Runs a program to its end with that standard input; its output, aborts when it fails. */
GBytes *run_program(GBytes *input, const char *program, ...) G_GNUC_NULL_TERMINATED;
/* Puts bytes on a selection ("clipboard", "primary") with xclip, which stays until it loses it. */
void own_with_xclip(const char *selection, const char *target, GBytes *bytes);
char *sha256_of(GBytes *bytes);
