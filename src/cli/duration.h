/* SPDX-License-Identifier: Apache-2.0 */
/* Times as people write them. */
#pragma once

#include <glib.h>

/* "90", "30s", "5m", "2h", "7d" in seconds; FALSE when it is none of these, or no time at all. */
gboolean hf_cli_parse_duration(const char *text, gint64 *ret_seconds);
/* The same from now on, as 2026-12-31T18:00:00Z; any other text as it is. */
char *hf_cli_dup_time(const char *text);
