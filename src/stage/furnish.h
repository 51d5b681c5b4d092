/* The files that a virtual desktop needs before its servers start. */
#pragma once

#include <glib.h>

#include "base/types.h"

/* Writes them into the private directory. `ret_accessible` tells whether there is an accessibility
 * bus on this machine for the session bus to start when a program first asks. */
gboolean hf_furnish(const HfStageOptions *options, const char *directory, gboolean *ret_accessible,
                    GError **error);
