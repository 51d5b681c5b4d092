/* SPDX-License-Identifier: Apache-2.0 */
/* Removes a directory with everything in it. */
#pragma once

#include <glib.h>

/* Never follows a symbolic link and never enters another file system: a mount below (a user's
 * documents through FUSE) is left alone. TRUE when nothing is left. */
gboolean hf_remove_tree(const char *path);
