/* SPDX-License-Identifier: Apache-2.0 */
/* XDamage on one window: has anything been drawn in it? For a connection whose events nobody else
 * reads. */
#pragma once

#include <xcb/damage.h>

#include "hand/x11/core/connection.h"
#include "shared/base/deadline.h"

typedef struct HfX11Damage {
    HfX11Connection *connection;
    xcb_damage_damage_t id; /* 0: not created */
    guint8 notify_event;
    guint reset_sequence; /* of the last reset: earlier reports do not count */
} HfX11Damage;

/* FALSE when the server has no XDamage. */
gboolean hf_x11_damage_init(HfX11Damage *damage, HfX11Connection *connection);
/* The server reports the first drawing after this, and after each reset. Its first report says that
 * everything was drawn. */
void hf_x11_damage_create(HfX11Damage *damage, xcb_window_t window);
void hf_x11_damage_reset(HfX11Damage *damage);
gboolean hf_x11_damage_is_report(const HfX11Damage *damage, const xcb_generic_event_t *event);
/* Waits until something was drawn since the last reset, by `first`, and then nothing for a moment,
 * by `deadline`. FALSE when nothing was drawn, or the window or the server has gone. */
gboolean hf_x11_damage_wait_drawn(HfX11Damage *damage, const HfDeadline *first,
                                  const HfDeadline *deadline);

/* Negotiates XFixes on this connection; FALSE when the server does not have it. */
gboolean hf_x11_xfixes_init(HfX11Connection *connection);
