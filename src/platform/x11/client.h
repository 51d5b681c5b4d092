/* The process behind a window, and whether it has taken in all that the X server sent it. For
 * programs that answer no ping. */
#pragma once

#include "platform/x11/connection.h"

typedef struct HfX11Client HfX11Client;

/* NULL when the process cannot be known: another machine, another user. */
HfX11Client *hf_x11_client_find(HfX11Connection *connection, xcb_window_t window);
void hf_x11_client_free(HfX11Client *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Client, hf_x11_client_free)

typedef struct HfX11ClientView {
    gboolean gone;    /* the process has ended */
    gboolean drained; /* nothing is on its way from the X server to it, or back */
    gboolean asleep;  /* no thread runs, and one of them waits for events */
    guint64 wake_ups; /* grows whenever one of its threads ran */
} HfX11ClientView;

/* One look. Two looks that agree (drained, asleep, same wake-ups) with round trips to the server
 * between them prove that nothing is left to read: had there been an answer of the server to wait
 * for, it would have come and woken the program. */
HfX11ClientView hf_x11_client_look(HfX11Client *client);
