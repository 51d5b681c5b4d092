/* SPDX-License-Identifier: Apache-2.0 */
/* Identifies the XTEST keyboard by its property: names prove nothing, since any device may have any
 * name. */
#include "hand/x11/input/keyboard-device.h"

#include <stdlib.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>
#include <xkbcommon/xkbcommon-x11.h>

#include "shared/base/error.h"

gboolean hf_x11_device_is_xtest(HfX11Connection *connection, guint16 device)
{
    xcb_input_xi_get_property_cookie_t cookie = xcb_input_xi_get_property(
        connection->xcb, device, 0, hf_x11_atom(connection, "XTEST Device"), XCB_ATOM_ANY, 0, 1);
    xcb_input_xi_get_property_reply_t *reply =
        xcb_input_xi_get_property_reply(connection->xcb, cookie, NULL);
    gboolean yes = FALSE;
    if (reply && reply->format == 8 && reply->num_items == 1)
        yes = *(const guint8 *)xcb_input_xi_get_property_items(reply) == 1;
    free(reply);
    return yes;
}

static guint8 find_xtest(HfX11Connection *connection, guint8 core)
{
    if (!hf_x11_extension(connection, &xcb_input_id))
        return core;
    free(xcb_input_xi_query_version_reply(connection->xcb,
                                          xcb_input_xi_query_version(connection->xcb, 2, 2), NULL));
    xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(
        connection->xcb, xcb_input_xi_query_device(connection->xcb, XCB_INPUT_DEVICE_ALL), NULL);
    if (!reply)
        return core;
    guint8 found = core;
    xcb_input_xi_device_info_iterator_t devices = xcb_input_xi_query_device_infos_iterator(reply);
    for (; devices.rem && found == core; xcb_input_xi_device_info_next(&devices))
        if (devices.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_KEYBOARD &&
            devices.data->attachment == core &&
            hf_x11_device_is_xtest(connection, devices.data->deviceid))
            found = (guint8)devices.data->deviceid;
    free(reply);
    return found;
}

gboolean hf_x11_device_find(HfX11Connection *connection, guint8 *ret_core, guint8 *ret_xtest,
                            GError **error)
{
    if (!hf_x11_extension(connection, &xcb_test_id))
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_UNSUPPORTED,
                       "this X server has no XTEST extension, so no input can be sent");
    int core = -1;
    if (xkb_x11_setup_xkb_extension(connection->xcb, XKB_X11_MIN_MAJOR_XKB_VERSION,
                                    XKB_X11_MIN_MINOR_XKB_VERSION, 0, NULL, NULL, NULL, NULL))
        core = xkb_x11_get_core_keyboard_device_id(connection->xcb);
    if (core < 0 || core > 255)
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_UNSUPPORTED,
                       "this X server has no XKB keyboard, so no keys can be sent");
    *ret_core = (guint8)core;
    *ret_xtest = find_xtest(connection, (guint8)core);
    return TRUE;
}
