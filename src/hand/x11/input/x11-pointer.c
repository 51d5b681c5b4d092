/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer events through XTEST. A batch costs one round trip: its events, a query of the pointer
 * and of the button mapping for the next batch go out together. XTEST takes physical buttons;
 * programs see them through the user's mapping (left-handed mice, natural scrolling), so this file
 * translates each button back. */
#include "hand/desktop/pointer.h"

#include <stdlib.h>
#include <xcb/xtest.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "hand/x11/input/inject.h"
#include "shared/base/error.h"

#define BUTTONS 8 /* HfButton and 0 */

struct HfX11Pointer {
    GMutex lock;             /* one batch at a time */
    gboolean mapped;         /* `device` is known */
    guint8 device[BUTTONS];  /* the device's button for each HfButton; 0: none */
    guint8 pressed[BUTTONS]; /* the device's button that was pressed for it, until the release */
};

HfX11Pointer *hf_x11_pointer_new(void)
{
    HfX11Pointer *pointer = g_new0(HfX11Pointer, 1);
    g_mutex_init(&pointer->lock);
    return pointer;
}

void hf_x11_pointer_free(HfX11Pointer *pointer)
{
    if (!pointer)
        return;
    g_mutex_clear(&pointer->lock);
    g_free(pointer);
}

void hf_x11_pointer_lock(HfX11Pointer *pointer)
{
    g_mutex_lock(&pointer->lock);
}

void hf_x11_pointer_unlock(HfX11Pointer *pointer)
{
    g_mutex_unlock(&pointer->lock);
}

static void read_mapping(HfX11Pointer *pointer, const xcb_get_pointer_mapping_reply_t *reply)
{
    const uint8_t *map = xcb_get_pointer_mapping_map(reply);
    int length = xcb_get_pointer_mapping_map_length(reply);
    for (int i = 0; i < BUTTONS; i++)
        pointer->device[i] = 0;
    for (int i = length - 1; i >= 0; i--)
        if (map[i] > 0 && map[i] < BUTTONS)
            pointer->device[map[i]] = (guint8)(i + 1);
    pointer->mapped = TRUE;
}

/* Reads position, buttons and mapping; also ends a batch. */
static gboolean query_pointer_state(HfX11Desktop *x11, HfPointerState *ret_state, GError **error)
{
    xcb_connection_t *xcb = x11->connection->xcb;
    xcb_get_pointer_mapping_cookie_t mapping_cookie = xcb_get_pointer_mapping_unchecked(xcb);
    xcb_query_pointer_cookie_t cookie = xcb_query_pointer_unchecked(xcb, x11->connection->root);
    xcb_get_pointer_mapping_reply_t *mapping =
        xcb_get_pointer_mapping_reply(xcb, mapping_cookie, NULL);
    if (mapping)
        read_mapping(x11->pointer, mapping);
    free(mapping);
    xcb_query_pointer_reply_t *reply = xcb_query_pointer_reply(xcb, cookie, NULL);
    hf_x11_discard_events(x11->connection);
    if (!reply) {
        return hf_x11_check(x11->connection, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                       "the X server does not report the pointer");
    }
    *ret_state = (HfPointerState){
        .point = reply->same_screen ? (HfPoint){reply->root_x, reply->root_y} : (HfPoint){-1, -1},
        .buttons = (guint)(reply->mask >> 8 & 0x1f) << 1,
    };
    free(reply);
    return TRUE;
}

static gboolean send_pointer_event(const HfCallContext *context, HfX11Desktop *x11,
                                   const HfPointerEvent *event, GError **error)
{
    HfX11Pointer *pointer = x11->pointer;
    HfButton button = event->button;
    HfX11Injection injection = {.type = XCB_MOTION_NOTIFY, .point = event->point};
    if (event->kind != HF_POINTER_MOVE) {
        gboolean press = event->kind == HF_POINTER_PRESS;
        if (press || !pointer->pressed[button])
            pointer->pressed[button] = pointer->device[button];
        if (press)
            hf_input_journal_hold_button(x11->base.journal, pointer->pressed[button]);
        injection = (HfX11Injection){.type = press ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE,
                                     .detail = pointer->pressed[button]};
    }
    return hf_x11_inject(context, x11->connection, injection, error);
}

/* Sends in order until the brake goes on, and after that only releases. Grabs the server, because
 * it may serve another program between two requests: one that moves the pointer would make the
 * button go down at the wrong point. All events go out together, so others wait no longer than the
 * batch takes. */
static gboolean send_events(const HfCallContext *context, HfX11Desktop *x11,
                            const HfPointerEvent *events, gsize count, GError **error)
{
    gboolean going = TRUE;
    if (count > 1)
        xcb_grab_server(x11->connection->xcb);
    for (gsize i = 0; i < count; i++)
        if (going || events[i].kind == HF_POINTER_RELEASE)
            going &= send_pointer_event(context, x11, &events[i], going ? error : NULL);
    if (count > 1)
        xcb_ungrab_server(x11->connection->xcb);
    return going;
}

/* Updates the journal when the server has processed the batch. */
static void journal_batch(HfX11Desktop *x11, const HfPointerEvent *events, gsize count)
{
    HfX11Pointer *pointer = x11->pointer;
    for (gsize i = 0; i < count; i++) {
        HfButton button = events[i].button;
        if (events[i].kind == HF_POINTER_PRESS)
            hf_input_journal_hold_button(x11->base.journal, pointer->pressed[button]);
        if (events[i].kind == HF_POINTER_RELEASE)
            hf_input_journal_drop_button(x11->base.journal, pointer->pressed[button]);
    }
}

static gboolean has_buttons(HfX11Pointer *pointer, const HfPointerEvent *events, gsize count,
                            GError **error)
{
    for (gsize i = 0; i < count; i++)
        if (events[i].kind == HF_POINTER_PRESS && !pointer->device[events[i].button])
            return hf_fail(
                error, HF_ERROR_UNSUPPORTED,
                "the pointer of this desktop has no button %d: the user's mapping disables it",
                (int)events[i].button);
    return TRUE;
}

static gboolean play_x11_events(const HfCallContext *context, const HfPointerEvent *events,
                                gsize count, HfPointerState *ret_state, GError **error)
{
    HfX11Desktop *x11 = hf_x11(hf_call_context_desktop(context));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&x11->pointer->lock);
    if (count > 0 && !hf_x11_extension(x11->connection, &xcb_test_id))
        return hf_x11_check(x11->connection, error) &&
               hf_fail(error, HF_ERROR_UNSUPPORTED,
                       "this X server has no XTEST extension, so no input can be sent");
    HfPointerState state;
    if (!x11->pointer->mapped && !query_pointer_state(x11, &state, error))
        return FALSE;
    if (!has_buttons(x11->pointer, events, count, error))
        return FALSE;
    gboolean sent = send_events(context, x11, events, count, error);
    if (!query_pointer_state(x11, &state, sent ? error : NULL) || !sent)
        return FALSE;
    journal_batch(x11, events, count);
    *ret_state = state;
    return TRUE;
}

const HfPointerOps hf_x11_pointer_ops = {.play = play_x11_events};
