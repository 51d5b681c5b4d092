/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a virtual desktop needs before its servers start. */
#pragma once

#include <glib.h>

#include "shared/base/types.h"

#define HF_COOKIE_BYTES 16

/* The X server's key and its file; `number` of the display once it is known. */
gboolean hf_session_files_make_cookie(guint8 *ret_cookie, GError **error);
gboolean hf_session_files_write_authority(const char *directory, const guint8 *cookie,
                                          const char *number, GError **error);

/* Writes all other files into the private directory. `ret_accessible`: this machine has an
 * accessibility bus, which the session bus starts when a program first asks. */
gboolean hf_session_files_write(const HfStageOptions *options, const char *directory,
                                gboolean *ret_accessible, GError **error);
