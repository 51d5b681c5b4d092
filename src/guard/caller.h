/* Who is calling: the first thing that the guard wants to know. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfCaller {
    const char *door; /* "bridge" */
    pid_t pid;
    uid_t uid;
    const char *program; /* path of its executable; may be NULL */
} HfCaller;
