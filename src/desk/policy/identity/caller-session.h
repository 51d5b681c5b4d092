/* SPDX-License-Identifier: Apache-2.0 */
/* Which callers count as the same one when it matters what they have read: a new connection, a new
 * process or a new session of its own must not make another caller of an agent. */
#pragma once

#include "desk/policy/identity/caller.h"

/* Where a local process belongs: the terminal session that it and its parents run in, or, without a
 * terminal, the program below the service manager that all of them come from. */
char *hf_caller_dup_session(const HfCaller *caller);
/* The key under which the store keeps what the caller has read: its token, or its program and
 * session. NULL for the owner at a terminal, who is not held back. */
char *hf_caller_dup_taint_key(const HfCaller *caller);
