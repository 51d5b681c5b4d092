/* SPDX-License-Identifier: Apache-2.0 */
/* Names of hosts against patterns: "example.com" fits itself, "*.example.com" also everything below
 * it, "*.banking.*" whatever a * can stand for, "*" all. Without regard to case. */
#pragma once

#include <glib.h>

gboolean hf_host_pattern_fits(const char *pattern, const char *host);
/* Whether everything that the inner pattern fits is fitted by the outer one too; FALSE where that
 * cannot be told. */
gboolean hf_host_pattern_within(const char *outer, const char *inner);
