/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this machine lets us run private desktops in containers. */
#pragma once

#include <glib.h>

/* Tried once per process. UNSUPPORTED says what is missing and how to get it. */
gboolean hf_container_check(GError **error);
