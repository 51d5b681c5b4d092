/* SPDX-License-Identifier: Apache-2.0 */
/* A mark on everything that a desk starts. The kernel passes it on to every descendant, and no
 * ordinary process can remove it: not by forking, by a session or terminal of its own, by an empty
 * environment, or by outliving its parents. So a program of an agent is recognised by any desk,
 * also after its stage and its desk have ended. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* Marks this process and all that it starts from now on. Called once, first in a desk. */
void hf_agent_mark_begin(void);
/* Whether this process carries the mark of another desk: an agent's program has started it. Called
 * before hf_agent_mark_begin(). */
gboolean hf_agent_mark_is_inherited(void);
/* Marks a stage, and so everything on its desktop, as virtual: it must end with the stage. */
void hf_agent_mark_set_virtual(pid_t stage);

/* Whether a desk has started the process, directly or through others. FALSE for one that has
 * ended. */
gboolean hf_agent_mark_is_on(pid_t pid);
/* The same for a virtual desktop of this desk. */
gboolean hf_agent_mark_is_virtual(pid_t pid);
