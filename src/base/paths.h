/* Where Handfast keeps things: all of it under the XDG directories, so that several desks can run
 * side by side with different ones. Directories are made 0700 on first use. */
#pragma once

#include <glib.h>

/* $XDG_RUNTIME_DIR/handfast, or a private directory of this user under /tmp when there is none
 * (refused when somebody else owns it). Sockets, locks, what must be put back. */
char *hf_path_runtime(GError **error);
/* $XDG_DATA_HOME/handfast: what lasts. */
char *hf_path_data(GError **error);
/* The bridge's socket within the runtime directory. */
char *hf_path_bridge(GError **error);

/* A directory of our own, 0700, made when missing. STORAGE_FAILED when others could get in: what
 * is in it already may be theirs. */
gboolean hf_path_ensure_private(const char *path, GError **error);
/* Names of desktops become directory names: letters, digits, '.', '_', '-'. INVALID_PARAMS. */
gboolean hf_name_check(const char *name, GError **error);
