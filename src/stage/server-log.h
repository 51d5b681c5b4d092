/* SPDX-License-Identifier: Apache-2.0 */
/* The output of one server, kept in a file of bounded size. */
#pragma once

#include <glib.h>

typedef struct HfServerLog {
    char *path; /* what is older is in PATH.old */
    int input;  /* read by us; -1 when closed */
    int output; /* given to the server */
    int file;
    gsize size;
} HfServerLog;

gboolean hf_server_log_open(HfServerLog *log, const char *folder, const char *name, GError **error);
/* Takes what is there; call it when `input` is readable. */
void hf_server_log_take(HfServerLog *log);
/* The last words, on one line, for a message about a failure. */
char *hf_server_log_dup_tail(HfServerLog *log);
void hf_server_log_clear(HfServerLog *log);
