/* SPDX-License-Identifier: Apache-2.0 */
/* A private desk for the doctor: the real program with its own directories and a virtual desktop.
 * So the whole path is tried and nothing of the user's is touched. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfTestDesk HfTestDesk;

HfTestDesk *hf_test_desk_new(void);
/* Ends the desk, if it was started, and removes its directories. */
void hf_test_desk_free(HfTestDesk *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTestDesk, hf_test_desk_free)

/* Starts the desk unless that was tried before; the error is its own output. */
gboolean hf_test_desk_ensure(HfTestDesk *probe, GError **error);
/* The result of a tool there, owned. */
json_t *hf_test_desk_call(HfTestDesk *probe, const char *tool, json_t *take_params, GError **error);
/* A variable of the desktop's environment (DISPLAY, XAUTHORITY), borrowed; NULL: not set. */
const char *hf_test_desk_variable(HfTestDesk *probe, const char *name);
/* The database that it writes, and its public key. */
char *hf_test_desk_dup_data(HfTestDesk *probe, const char *name);
