/* SPDX-License-Identifier: Apache-2.0 */
/* The only user of XTEST in the program. Every press and every movement asks the brake first. What
 * was queued before the brake went on is at most one portion of text (x11-typing.c) or one gesture
 * (x11-pointer.c). */
#include "hand/x11/input/inject.h"

#include <xcb/xtest.h>

#include "hand/safety/call-context.h"

static void send_fake_input(HfX11Connection *connection, HfX11Injection event)
{
    xcb_test_fake_input(connection->xcb, event.type, event.detail, XCB_CURRENT_TIME,
                        event.type == XCB_MOTION_NOTIFY ? connection->root : XCB_NONE,
                        (int16_t)CLAMP(event.point.x, G_MININT16, G_MAXINT16),
                        (int16_t)CLAMP(event.point.y, G_MININT16, G_MAXINT16), 0);
}

gboolean hf_x11_inject(const HfCallContext *context, HfX11Connection *connection,
                       HfX11Injection event, GError **error)
{
    gboolean release = event.type == XCB_KEY_RELEASE || event.type == XCB_BUTTON_RELEASE;
    if (!release && !hf_call_context_check_input(context, error))
        return FALSE;
    hf_call_context_note_input(context);
    send_fake_input(connection, event);
    return TRUE;
}

/* Releases act on the XTEST devices only: a key that a person holds on another keyboard stays down.
 */
gboolean hf_x11_inject_releases(HfDesktop *desktop, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    const HfInputJournal *journal = desktop->journal;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++) {
        if (hf_input_journal_holds_key(journal, (guint8)code))
            send_fake_input(connection,
                            (HfX11Injection){.type = XCB_KEY_RELEASE, .detail = (guint8)code});
        if (hf_input_journal_holds_button(journal, (guint8)code))
            send_fake_input(connection,
                            (HfX11Injection){.type = XCB_BUTTON_RELEASE, .detail = (guint8)code});
    }
    return hf_x11_sync(connection, error);
}
