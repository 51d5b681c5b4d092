/* SPDX-License-Identifier: Apache-2.0 */
/* A key belongs to the chord by what is on it in any group of its own device's keymap, unshifted:
 * the chord works on every layout, and lending keys (spare-keycodes.c) cannot move it. Modifiers
 * that are latched or locked (Sticky Keys) count as held. */
#include "hand/x11/input/input-devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>
#include <xcb/xkb.h>
#include <xkbcommon/xkbcommon-x11.h>

#include "hand/desktop/keyboard.h"
#include "hand/x11/input/keyboard-device.h"
#include "shared/base/error.h"

/* A map that is just being changed cannot be read whole. */
#define READ_TRIES 3

struct HfX11InputDevices {
    HfX11Connection *connection;
    GHashTable *table; /* id → HfX11InputDevice */
    GArray *chord;     /* folded keysyms */
    struct xkb_context *context;
    guint8 core;
    guint8 xkb_event, input_opcode;
    gboolean incomplete; /* a keymap is missing */
};

void hf_x11_input_devices_free(HfX11InputDevices *devices)
{
    if (!devices)
        return;
    g_hash_table_unref(devices->table);
    g_array_unref(devices->chord);
    xkb_context_unref(devices->context);
    g_free(devices);
}

static guint16 members_of(const HfX11InputDevices *devices, struct xkb_keymap *keymap,
                          xkb_keycode_t code)
{
    guint16 members = 0;
    xkb_layout_index_t groups = xkb_keymap_num_layouts_for_key(keymap, code);
    for (xkb_layout_index_t group = 0; group < groups; group++) {
        const xkb_keysym_t *keysyms;
        int count = xkb_keymap_key_get_syms_by_level(keymap, code, group, 0, &keysyms);
        for (guint i = 0; count == 1 && i < devices->chord->len; i++)
            if (g_array_index(devices->chord, guint32, i) == hf_key_fold(keysyms[0]))
                members |= (guint16)(1u << i);
    }
    return members;
}

static void read_keys(HfX11InputDevices *devices, guint16 id, HfX11InputDevice *device)
{
    xcb_connection_t *xcb = devices->connection->xcb;
    guint16 news = XCB_XKB_EVENT_TYPE_NEW_KEYBOARD_NOTIFY | XCB_XKB_EVENT_TYPE_MAP_NOTIFY;
    xcb_xkb_select_events(xcb, id, news, 0, news, 0xff, 0xff, NULL);
    struct xkb_keymap *keymap = NULL;
    for (int tries = 0; !keymap && tries < READ_TRIES; tries++)
        keymap =
            xkb_x11_keymap_new_from_device(devices->context, xcb, id, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap) {
        devices->incomplete = device->unread = TRUE;
        return;
    }
    xkb_keycode_t last = MIN(255, xkb_keymap_max_keycode(keymap));
    for (xkb_keycode_t code = xkb_keymap_min_keycode(keymap); code <= last; code++)
        device->members[code] = members_of(devices, keymap, code);
    xkb_keymap_unref(keymap);
}

static double to_double(xcb_input_fp3232_t value)
{
    return value.integral + value.frac / 4294967296.0;
}

static void read_axis(const HfX11InputDevices *devices, HfX11InputDevice *device,
                      const xcb_input_valuator_class_t *valuator)
{
    if (valuator->number >= G_N_ELEMENTS(device->axes))
        return;
    const xcb_screen_t *screen = devices->connection->screen;
    double range = to_double(valuator->max) - to_double(valuator->min);
    double pixels = valuator->number == 0 ? screen->width_in_pixels : screen->height_in_pixels;
    gboolean absolute = valuator->mode == XCB_INPUT_VALUATOR_MODE_ABSOLUTE && range > 0;
    device->axes[valuator->number].absolute = absolute;
    device->axes[valuator->number].pixels = absolute ? pixels / range : 1;
}

static void add_device(HfX11InputDevices *devices, const xcb_input_xi_device_info_t *info)
{
    HfX11InputDevice *device = g_new0(HfX11InputDevice, 1);
    device->axes[0].pixels = device->axes[1].pixels = 1;
    xcb_input_device_class_iterator_t classes = xcb_input_xi_device_info_classes_iterator(info);
    for (; classes.rem; xcb_input_device_class_next(&classes)) {
        if (classes.data->type == XCB_INPUT_DEVICE_CLASS_TYPE_KEY)
            read_keys(devices, info->deviceid, device);
        if (classes.data->type == XCB_INPUT_DEVICE_CLASS_TYPE_VALUATOR)
            read_axis(devices, device, (const xcb_input_valuator_class_t *)(gpointer)classes.data);
    }
    g_hash_table_insert(devices->table, GUINT_TO_POINTER(info->deviceid), device);
}

static gboolean is_master(const xcb_input_xi_device_info_t *info)
{
    return info->type == XCB_INPUT_DEVICE_TYPE_MASTER_POINTER ||
           info->type == XCB_INPUT_DEVICE_TYPE_MASTER_KEYBOARD;
}

static gboolean read_devices(HfX11InputDevices *devices, GError **error)
{
    HfX11Connection *connection = devices->connection;
    xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(
        connection->xcb, xcb_input_xi_query_device(connection->xcb, XCB_INPUT_DEVICE_ALL), NULL);
    if (!reply)
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_UNSUPPORTED, "the X server lists no input devices");
    xcb_input_xi_device_info_iterator_t infos = xcb_input_xi_query_device_infos_iterator(reply);
    for (; infos.rem; xcb_input_xi_device_info_next(&infos))
        if (!is_master(infos.data) && !hf_x11_device_is_xtest(connection, infos.data->deviceid))
            add_device(devices, infos.data);
    free(reply);
    return TRUE;
}

/* Raw events come to us while another program has grabbed a device from version 2.1 on. */
static gboolean has_raw_events(HfX11Connection *connection)
{
    if (!hf_x11_extension(connection, &xcb_input_id))
        return FALSE;
    xcb_input_xi_query_version_reply_t *version = xcb_input_xi_query_version_reply(
        connection->xcb, xcb_input_xi_query_version(connection->xcb, 2, 2), NULL);
    gboolean enough = version && (version->major_version > 2 ||
                                  (version->major_version == 2 && version->minor_version >= 1));
    free(version);
    return enough;
}

static GArray *dup_folded(const GArray *chord)
{
    GArray *folded = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < chord->len && i < 16; i++) {
        guint32 keysym = hf_key_fold(g_array_index(chord, guint32, i));
        g_array_append_val(folded, keysym);
    }
    return folded;
}

HfX11InputDevices *hf_x11_input_devices_new(HfX11Connection *connection, const GArray *chord,
                                            GError **error)
{
    guint8 xtest, core;
    if (!has_raw_events(connection)) {
        if (hf_x11_check(connection, error))
            hf_fail(error, HF_ERROR_UNSUPPORTED, "this X server has no XInput 2.1");
        return NULL;
    }
    if (!hf_x11_device_find(connection, &core, &xtest, error))
        return NULL;
    g_autoptr(HfX11InputDevices) devices = g_new0(HfX11InputDevices, 1);
    devices->connection = connection;
    devices->core = core;
    devices->table = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    devices->chord = dup_folded(chord);
    devices->context =
        xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES | XKB_CONTEXT_NO_ENVIRONMENT_NAMES);
    xkb_context_set_log_level(devices->context, XKB_LOG_LEVEL_CRITICAL);
    devices->xkb_event = hf_x11_extension(connection, &xcb_xkb_id)->first_event;
    devices->input_opcode = hf_x11_extension(connection, &xcb_input_id)->major_opcode;
    return read_devices(devices, error) ? g_steal_pointer(&devices) : NULL;
}

HfX11InputDevice *hf_x11_input_devices_find(HfX11InputDevices *devices, guint16 id)
{
    return g_hash_table_lookup(devices->table, GUINT_TO_POINTER(id));
}

void hf_x11_input_devices_inherit(HfX11InputDevices *devices, HfX11InputDevices *former)
{
    GHashTableIter iter;
    gpointer id, value;
    g_hash_table_iter_init(&iter, former->table);
    while (g_hash_table_iter_next(&iter, &id, &value)) {
        const HfX11InputDevice *old = value;
        HfX11InputDevice *device = g_hash_table_lookup(devices->table, id);
        if (!device)
            continue;
        memcpy(device->down, old->down, sizeof device->down);
        if (device->unread)
            memcpy(device->members, old->members, sizeof device->members);
    }
}

static guint16 held_members(const HfX11InputDevices *devices)
{
    guint16 members = 0;
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, devices->table);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const HfX11InputDevice *device = value;
        for (guint code = 0; code < 256; code++)
            if (device->down[code / 8] & 1u << code % 8)
                members |= device->members[code];
    }
    return members;
}

static guint modifier_of(guint32 folded)
{
    switch (folded) {
    case XKB_KEY_Shift_L:
        return XCB_MOD_MASK_SHIFT;
    case XKB_KEY_Control_L:
        return XCB_MOD_MASK_CONTROL;
    case XKB_KEY_Alt_L:
        return XCB_MOD_MASK_1;
    case XKB_KEY_Super_L:
        return XCB_MOD_MASK_4;
    default:
        return 0;
    }
}

/* Not those that are merely held: a program may be holding them. */
static guint16 sticky_members(const HfX11InputDevices *devices)
{
    xcb_connection_t *xcb = devices->connection->xcb;
    xcb_xkb_get_state_reply_t *state =
        xcb_xkb_get_state_reply(xcb, xcb_xkb_get_state(xcb, devices->core), NULL);
    guint sticky = state ? state->latchedMods | state->lockedMods : 0;
    free(state);
    guint16 members = 0;
    for (guint i = 0; i < devices->chord->len; i++)
        if (modifier_of(g_array_index(devices->chord, guint32, i)) & sticky)
            members |= (guint16)(1u << i);
    return members;
}

gboolean hf_x11_input_devices_key(HfX11InputDevices *devices, HfX11InputDevice *device,
                                  guint8 keycode, gboolean down)
{
    guint8 bit = (guint8)(1u << keycode % 8);
    if (!down) {
        device->down[keycode / 8] &= (guint8)~bit;
        return FALSE;
    }
    device->down[keycode / 8] |= bit;
    guint16 all = (guint16)((1u << devices->chord->len) - 1), held = held_members(devices);
    if (!device->members[keycode] || !all)
        return FALSE;
    return held == all || (held | sticky_members(devices)) == all;
}

void hf_x11_input_device_axis(HfX11InputDevice *device, guint number, double value)
{
    if (number >= G_N_ELEMENTS(device->axes))
        return;
    double change = value;
    if (device->axes[number].absolute) {
        change = device->axes[number].known ? value - device->axes[number].last : 0;
        device->axes[number].last = value;
        device->axes[number].known = TRUE;
    }
    device->axes[number].moved += change * device->axes[number].pixels;
}

void hf_x11_input_devices_reset_motion(HfX11InputDevices *devices)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, devices->table);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        HfX11InputDevice *device = value;
        device->axes[0].moved = device->axes[1].moved = 0;
    }
}

gboolean hf_x11_input_devices_incomplete(const HfX11InputDevices *devices)
{
    return devices->incomplete;
}

gboolean hf_x11_input_devices_outdated(const HfX11InputDevices *devices,
                                       const xcb_generic_event_t *event)
{
    guint8 type = event->response_type & 0x7f;
    if (type == devices->xkb_event)
        return TRUE;
    const xcb_ge_generic_event_t *generic = (const xcb_ge_generic_event_t *)event;
    return type == XCB_GE_GENERIC && generic->extension == devices->input_opcode &&
           generic->event_type == XCB_INPUT_HIERARCHY;
}
