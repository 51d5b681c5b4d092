/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the maps with libxkbcommon and the core protocol, not with the code under test. */
#include "keymap.h"

#include <stdlib.h>

#include <xcb/xkb.h>
#include <xkbcommon/xkbcommon-x11.h>

#define ALL_KEYS 248

static xcb_connection_t *connect_with_xkb(void)
{
    xcb_connection_t *xcb = xcb_connect(NULL, NULL);
    g_assert_cmpint(xcb_connection_has_error(xcb), ==, 0);
    g_assert_true(xkb_x11_setup_xkb_extension(xcb, 1, 0, 0, NULL, NULL, NULL, NULL));
    return xcb;
}

static void sync_and_close(xcb_connection_t *xcb)
{
    free(xcb_get_input_focus_reply(xcb, xcb_get_input_focus(xcb), NULL));
    xcb_disconnect(xcb);
}

static void run(const char *command)
{
    int status = -1;
    g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, &status, NULL));
    g_assert_cmpint(status, ==, 0);
}

void keymap_set_layout(const char *layout)
{
    g_autofree char *command = g_strdup_printf("setxkbmap -layout %s", layout);
    run(command);
}

void keymap_set_device_layout(int device, const char *layout)
{
    g_autofree char *command = g_strdup_printf("setxkbmap -device %d -layout %s", device, layout);
    run(command);
}

void keymap_set_controls(guint controls)
{
    const guint affected =
        XCB_XKB_BOOL_CTRL_SLOW_KEYS | XCB_XKB_BOOL_CTRL_BOUNCE_KEYS | XCB_XKB_BOOL_CTRL_STICKY_KEYS;
    const guint8 repeat[32] = {0};
    xcb_connection_t *xcb = connect_with_xkb();
    xcb_xkb_set_controls(xcb, XCB_XKB_ID_USE_CORE_KBD, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, affected,
                         controls, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, repeat);
    sync_and_close(xcb);
}

void keymap_lock(guint modifiers, guint group)
{
    xcb_connection_t *xcb = connect_with_xkb();
    xcb_xkb_latch_lock_state(xcb, XCB_XKB_ID_USE_CORE_KBD, 0xff, (guint8)modifiers, 1,
                             (guint8)group, 0, 0, 0);
    sync_and_close(xcb);
}

void keymap_focus(xcb_window_t window)
{
    xcb_connection_t *xcb = xcb_connect(NULL, NULL);
    xcb_set_input_focus(xcb, XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
    sync_and_close(xcb);
}

static void add_device(GString *picture, xcb_connection_t *xcb, struct xkb_context *context,
                       int device)
{
    struct xkb_keymap *keymap =
        xkb_x11_keymap_new_from_device(context, xcb, device, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap)
        return;
    char *text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1);
    g_string_append_printf(picture, "device %d\n%s\n", device, text);
    free(text);
    xkb_keymap_unref(keymap);
}

static void add_core_map(GString *picture, xcb_connection_t *xcb)
{
    xcb_get_keyboard_mapping_reply_t *reply =
        xcb_get_keyboard_mapping_reply(xcb, xcb_get_keyboard_mapping(xcb, 8, ALL_KEYS), NULL);
    const xcb_keysym_t *keysyms = xcb_get_keyboard_mapping_keysyms(reply);
    for (int i = 0; i < xcb_get_keyboard_mapping_keysyms_length(reply); i++)
        if (keysyms[i])
            g_string_append_printf(picture, "%d.%d %x\n", 8 + i / reply->keysyms_per_keycode,
                                   i % reply->keysyms_per_keycode, keysyms[i]);
    free(reply);
}

static void add_state(GString *picture, xcb_connection_t *xcb)
{
    xcb_xkb_get_state_reply_t *state =
        xcb_xkb_get_state_reply(xcb, xcb_xkb_get_state(xcb, XCB_XKB_ID_USE_CORE_KBD), NULL);
    g_string_append_printf(picture, "base %x latched %x locked %x group %d\n", state->baseMods,
                           state->latchedMods, state->lockedMods, state->group);
    free(state);
    xcb_query_keymap_reply_t *down = xcb_query_keymap_reply(xcb, xcb_query_keymap(xcb), NULL);
    for (int code = 0; code < 256; code++)
        if (down->keys[code / 8] >> (code % 8) & 1)
            g_string_append_printf(picture, "key %d is down\n", code);
    free(down);
}

char *keymap_dup_picture(void)
{
    GString *picture = g_string_new(NULL);
    xcb_connection_t *xcb = connect_with_xkb();
    struct xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
    xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL);
    for (int device = 2; device < 10; device++)
        add_device(picture, xcb, context, device);
    add_core_map(picture, xcb);
    add_state(picture, xcb);
    xkb_context_unref(context);
    xcb_disconnect(xcb);
    return g_string_free(picture, FALSE);
}
