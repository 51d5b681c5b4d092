/* SPDX-License-Identifier: Apache-2.0 */
/* Durations as people write them. */
#pragma once

#include <glib.h>

/* "90", "30s", "5m", "2h", "7d" in seconds; FALSE for anything else, and for zero. */
gboolean hf_cli_parse_duration(const char *text, gint64 *ret_seconds);
/* That time from now, as 2026-12-31T18:00:00Z; any other text unchanged. */
char *hf_cli_dup_time(const char *text);
