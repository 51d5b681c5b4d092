/* SPDX-License-Identifier: Apache-2.0 */
/* Where Handfast keeps things: all of it under the XDG directories, so that several desks can run
 * side by side with different ones. */
#pragma once

#include <glib.h>

/* $XDG_RUNTIME_DIR/handfast, or a directory of this user under /run/user or /tmp when that is not
 * set. Sockets, locks, what must be put back. Only names it. */
char *hf_path_dup_runtime(void);
/* The bridge's socket within the runtime directory. */
char *hf_path_dup_bridge(void);
/* The same directory, made when missing; what it lies in must be there. */
char *hf_path_ensure_runtime(GError **error);
/* $XDG_DATA_HOME/handfast, made when missing: what lasts. */
char *hf_path_ensure_data(GError **error);
/* $XDG_CONFIG_HOME/handfast/config.json: the owner's agreement. Only names it. */
char *hf_path_dup_config(void);
/* /etc/handfast/policy.json: what the machine's administrator has decided. Tests (HANDFAST_TEST=1)
 * may name another in HANDFAST_POLICY. */
char *hf_path_dup_policy(void);

/* The place that a path leads to: absolute, "~" and "~/..." as the user's home, every link followed
 * and every ".." taken as the kernel would, also where nothing exists yet. NULL when it is relative
 * or the links lead nowhere. */
char *hf_path_dup_real(const char *path);
/* Whether the inner path leads into the outer one, or is the same. */
gboolean hf_path_within(const char *outer, const char *inner);

/* A directory of our own, 0700, made when missing. STORAGE_FAILED when others could get in: what
 * is in it already may be theirs. */
gboolean hf_path_ensure_private(const char *path, GError **error);
/* Names of desktops become directory names: letters, digits, '.', '_', '-'. INVALID_PARAMS. */
gboolean hf_desktop_name_check(const char *name, GError **error);
