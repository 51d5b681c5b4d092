/* SPDX-License-Identifier: Apache-2.0 */
/* Starting tests/apps/recorder from a test and reading what it saw. Every wait has a limit; a
 * recorder that says nothing fails the test. */
#pragma once

#include "shared/base/json.h"

typedef struct Recorder Recorder;

/* `geometry` as "400x300+10+20"; further arguments ended by NULL. Returns when it is visible. */
Recorder *recorder_start(const char *geometry, ...) G_GNUC_NULL_TERMINATED;
void recorder_free(Recorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Recorder, recorder_free)

guint32 recorder_window(const Recorder *recorder);
/* The next event of this kind; those before it are passed over. Aborts when it does not come. */
json_t *recorder_next(Recorder *recorder, const char *event);
/* How many events of this kind came before the next one of kind `until`, which is taken too. */
guint recorder_count_until(Recorder *recorder, const char *event, const char *until);
/* The next event of this kind, or NULL when none comes within `milliseconds`. */
json_t *recorder_find(Recorder *recorder, const char *event, int milliseconds);
