/* SPDX-License-Identifier: Apache-2.0 */
/* The output of one server, in a file of bounded size. */
#pragma once

#include <glib.h>

typedef struct HfServerLog {
    char *path; /* older output is in PATH.old */
    int input;  /* read by us; -1 when closed */
    int output; /* given to the server */
    int file;
    gsize size;
} HfServerLog;

gboolean hf_server_log_open(HfServerLog *log, const char *folder, const char *name, GError **error);
/* Reads what is there; call it when `input` is readable. */
void hf_server_log_take(HfServerLog *log);
/* The last output, on one line, for an error message. */
char *hf_server_log_dup_tail(HfServerLog *log);
void hf_server_log_clear(HfServerLog *log);
