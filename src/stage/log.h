/* The output of one server, kept in a file of bounded size. */
#pragma once

#include <glib.h>

typedef struct HfLog {
    char *path; /* what is older is in PATH.old */
    int input;  /* read by us; -1 when closed */
    int output; /* given to the server */
    int file;
    gsize size;
} HfLog;

gboolean hf_log_open(HfLog *log, const char *folder, const char *name, GError **error);
/* Takes what is there; call it when `input` is readable. */
void hf_log_take(HfLog *log);
/* The last words, on one line, for a message about a failure. */
char *hf_log_dup_tail(HfLog *log);
void hf_log_clear(HfLog *log);
