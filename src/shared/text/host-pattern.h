/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns for host names: "example.com" matches itself, "*.example.com" also everything below it,
 * in "*.banking.*" a * matches anything, "*" matches all. Case is ignored. */
#pragma once

#include <glib.h>

gboolean hf_host_pattern_fits(const char *pattern, const char *host);
/* Whether the outer pattern matches everything that the inner one does; FALSE where that is
 * uncertain. */
gboolean hf_host_pattern_within(const char *outer, const char *inner);
