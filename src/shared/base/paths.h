/* SPDX-License-Identifier: Apache-2.0 */
/* The directories of Handfast: all below the XDG directories, so that several desks with different
 * ones can run side by side. */
#pragma once

#include <glib.h>

/* $XDG_RUNTIME_DIR/handfast, or a directory of this user below /run/user or /tmp when that is not
 * set: sockets, locks, state to restore. Does not create it. */
char *hf_path_dup_runtime(void);
/* The bridge's socket within the runtime directory. */
char *hf_path_dup_bridge(void);
/* The same directory, created when missing; its parent must exist. */
char *hf_path_ensure_runtime(GError **error);
/* $XDG_DATA_HOME/handfast, created when missing: permanent data. */
char *hf_path_ensure_data(GError **error);
/* $XDG_CONFIG_HOME/handfast/config.json: the owner's configuration. Does not create it. */
char *hf_path_dup_config(void);
/* ~/Handfast/DESKTOP: what the user and the programs of a private desktop exchange. Does not create
 * it. */
char *hf_path_dup_exchange(const char *desktop);
/* /etc/handfast/policy.json: the administrator's policy. Tests (HANDFAST_TEST=1) may name another
 * in HANDFAST_POLICY. */
char *hf_path_dup_policy(void);

/* The path with "~" and "~/..." as the user's home; links stay. */
char *hf_path_dup_absolute(const char *path);
/* Resolves a path: absolute, "~" and "~/..." as the user's home, every link followed and every
 * ".." resolved as the kernel does, also where nothing exists yet. NULL when it is relative or has
 * too many links. */
char *hf_path_dup_real(const char *path);
/* What the link at `place` (absolute, without links above it) leads to; NULL: it is no link. */
typedef char *(*HfPathReadLink)(const char *place, gpointer data);
/* The same for an absolute path whose links are read otherwise. */
char *hf_path_resolve(const char *path, HfPathReadLink read_link, gpointer data);
/* Whether the inner path is the outer one or below it. */
gboolean hf_path_within(const char *outer, const char *inner);

/* Creates a private directory (0700) when missing. STORAGE_FAILED when others have access: its
 * content could be theirs. */
gboolean hf_path_ensure_private(const char *path, GError **error);
/* Names of desktops become directory names: letters, digits, '.', '_', '-'. INVALID_PARAMS
 * otherwise. */
gboolean hf_desktop_name_check(const char *name, GError **error);
