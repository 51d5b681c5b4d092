/* SPDX-License-Identifier: Apache-2.0 */
/* Copies bytes between a client and a server until both have ended. */
#pragma once

#include <glib.h>

typedef struct HfRelay {
    int client, server;
    /* How many of these bytes of the client belong to its request. With fewer, nothing more of the
     * client is read, and the relay ends with the server. NULL: a tunnel, where all pass. */
    gsize (*admit)(const char *bytes, gsize count, gpointer data);
    gpointer data;
    int idle_ms;    /* without a byte for so long, it ends; -1: never */
    int surplus_ms; /* the same, after the client has sent what does not belong */
} HfRelay;

/* Runs until both sides have ended, or one is broken or shut down. Makes both non-blocking, closes
 * neither. */
void hf_relay_run(const HfRelay *relay);
