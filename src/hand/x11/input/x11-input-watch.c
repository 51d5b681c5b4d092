/* SPDX-License-Identifier: Apache-2.0 */
/* Watches the mice and keyboards of the person in front of the desktop: every slave or floating
 * device that XInput 2 lists, except those of XTEST. A thread with its own connection reads raw
 * events, which arrive even while a program grabs the keyboard. Each event arrives twice, from its
 * device and from the master; only the first counts. Key repeat comes from the server and pointer
 * warps make no raw event, so neither counts as use.
 *
 * A key belongs to the stop chord by its unshifted symbol in any group of its own device's keymap.
 * So the chord works on every layout, and lent keys (spare-keycodes.c) cannot move it. Latched and
 * locked modifiers (Sticky Keys) count as held. */
#include "hand/desktop/input-watch.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xinput.h>
#include <xcb/xkb.h>
#include <xkbcommon/xkbcommon-x11.h>

#include "hand/desktop/keyboard.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/input/keyboard-device.h"
#include "shared/base/error.h"

/* A mouse sends up to a thousand events a second, so motion is deselected for this long once it was
 * seen. */
#define MOTION_PAUSE_US (250 * 1000)
/* Movement below the jitter within this time does not count. */
#define JITTER_US G_USEC_PER_SEC
/* Keymaps are read again only after this long without a key: reading takes many round trips to a
 * server that may be busy, and a chord must not wait for them. */
#define KEYS_PAUSE_US (300 * 1000)

/* Reading fails while a map is being changed. */
#define READ_TRIES 3
/* One bit of Device.members each. */
#define MAX_CHORD_KEYS 16u

typedef struct Device {
    guint16 members[256]; /* by keycode: the keys of the chord that it can be, as bits */
    gboolean unread;      /* its keymap could not be read */
    guint8 down[32];      /* bits by keycode: held by the person */
    struct {
        gboolean absolute;
        double pixels;  /* per unit */
        double last;    /* the last value of an absolute axis */
        gboolean known; /* `last` is */
        double moved;   /* since reset_device_motion */
    } axes[2];
} Device;

typedef struct Devices {
    HfX11Connection *connection;
    GHashTable *table;   /* id → Device */
    const GArray *chord; /* borrowed from the watch */
    struct xkb_context *context;
    guint8 core;
    guint8 xkb_event, input_opcode;
    gboolean incomplete; /* a keymap is missing */
} Devices;

static void devices_free(Devices *devices)
{
    if (!devices)
        return;
    g_hash_table_unref(devices->table);
    xkb_context_unref(devices->context);
    g_free(devices);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Devices, devices_free)

static guint16 members_of(const Devices *devices, struct xkb_keymap *keymap, xkb_keycode_t code)
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

static void read_keys(Devices *devices, guint16 id, Device *device)
{
    xcb_connection_t *xcb = devices->connection->xcb;
    guint16 changes = XCB_XKB_EVENT_TYPE_NEW_KEYBOARD_NOTIFY | XCB_XKB_EVENT_TYPE_MAP_NOTIFY;
    xcb_xkb_select_events(xcb, id, changes, 0, changes, 0xff, 0xff, NULL);
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

static double fixed_to_double(xcb_input_fp3232_t value)
{
    return value.integral + value.frac / 4294967296.0;
}

static void read_axis(const Devices *devices, Device *device,
                      const xcb_input_valuator_class_t *valuator)
{
    if (valuator->number >= G_N_ELEMENTS(device->axes))
        return;
    const xcb_screen_t *screen = devices->connection->screen;
    double range = fixed_to_double(valuator->max) - fixed_to_double(valuator->min);
    double pixels = valuator->number == 0 ? screen->width_in_pixels : screen->height_in_pixels;
    gboolean absolute = valuator->mode == XCB_INPUT_VALUATOR_MODE_ABSOLUTE && range > 0;
    device->axes[valuator->number].absolute = absolute;
    device->axes[valuator->number].pixels = absolute ? pixels / range : 1;
}

static void add_device(Devices *devices, const xcb_input_xi_device_info_t *info)
{
    Device *device = g_new0(Device, 1);
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

static gboolean read_devices(Devices *devices, GError **error)
{
    HfX11Connection *connection = devices->connection;
    xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(
        connection->xcb, xcb_input_xi_query_device(connection->xcb, XCB_INPUT_DEVICE_ALL), NULL);
    if (!reply)
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_UNSUPPORTED, "the X server does not list its input devices");
    xcb_input_xi_device_info_iterator_t infos = xcb_input_xi_query_device_infos_iterator(reply);
    for (; infos.rem; xcb_input_xi_device_info_next(&infos))
        if (infos.data->type != XCB_INPUT_DEVICE_TYPE_MASTER_POINTER &&
            infos.data->type != XCB_INPUT_DEVICE_TYPE_MASTER_KEYBOARD &&
            !hf_x11_device_is_xtest(connection, infos.data->deviceid))
            add_device(devices, infos.data);
    free(reply);
    return TRUE;
}

/* From version 2.1 on, raw events arrive while another program grabs the device. */
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

static Devices *devices_new(HfX11Connection *connection, const GArray *chord, GError **error)
{
    guint8 xtest, core;
    if (!has_raw_events(connection)) {
        if (hf_x11_check(connection, error))
            hf_fail(error, HF_ERROR_UNSUPPORTED,
                    "this X server has no XInput 2.1, so real input cannot be watched");
        return NULL;
    }
    if (!hf_x11_device_find(connection, &core, &xtest, error))
        return NULL;
    g_autoptr(Devices) devices = g_new0(Devices, 1);
    devices->connection = connection;
    devices->core = core;
    devices->table = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    devices->chord = chord;
    devices->context =
        xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES | XKB_CONTEXT_NO_ENVIRONMENT_NAMES);
    xkb_context_set_log_level(devices->context, XKB_LOG_LEVEL_CRITICAL);
    devices->xkb_event = hf_x11_extension(connection, &xcb_xkb_id)->first_event;
    devices->input_opcode = hf_x11_extension(connection, &xcb_input_id)->major_opcode;
    return read_devices(devices, error) ? g_steal_pointer(&devices) : NULL;
}

/* Takes from an older list what the person holds down, and keymaps that could not be read now. */
static void inherit_held_keys(Devices *devices, Devices *former)
{
    GHashTableIter iter;
    gpointer id, value;
    g_hash_table_iter_init(&iter, former->table);
    while (g_hash_table_iter_next(&iter, &id, &value)) {
        const Device *old = value;
        Device *device = g_hash_table_lookup(devices->table, id);
        if (!device)
            continue;
        memcpy(device->down, old->down, sizeof device->down);
        if (device->unread)
            memcpy(device->members, old->members, sizeof device->members);
    }
}

static guint16 held_members(const Devices *devices)
{
    guint16 members = 0;
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, devices->table);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Device *device = value;
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

/* Held modifiers do not count here: a program may hold them. */
static guint16 sticky_members(const Devices *devices)
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

/* TRUE when the whole chord is now down, and this key is part of it. */
static gboolean update_device_key(Devices *devices, Device *device, guint8 keycode, gboolean down)
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

static void update_device_axis(Device *device, guint number, double value)
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

static void reset_device_motion(Devices *devices)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, devices->table);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        Device *device = value;
        device->axes[0].moved = device->axes[1].moved = 0;
    }
}

/* Whether the event says that keymaps changed or that devices came or went. */
static gboolean is_device_change(const Devices *devices, const xcb_generic_event_t *event)
{
    guint8 type = event->response_type & 0x7f;
    if (type == devices->xkb_event)
        return TRUE;
    const xcb_ge_generic_event_t *generic = (const xcb_ge_generic_event_t *)event;
    return type == XCB_GE_GENERIC && generic->extension == devices->input_opcode &&
           generic->event_type == XCB_INPUT_HIERARCHY;
}

struct HfInputWatch {
    HfInputWatcher watcher;
    GArray *chord; /* folded keysyms */
    HfX11Connection *connection;
    Devices *devices;
    GThread *thread;
    int wake_fd;
    gboolean moving;        /* motion is deselected */
    gint64 paused_until_us; /* while `moving` */
    gint64 jitter_since_us;
    gboolean outdated; /* devices or keymaps have changed */
    gint64 key_us;     /* time of the last key */
};

static void select_raw_events(HfInputWatch *watch)
{
    struct {
        xcb_input_event_mask_t head;
        guint32 mask;
    } selection = {{XCB_INPUT_DEVICE_ALL, 1},
                   XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE |
                       XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS |
                       XCB_INPUT_XI_EVENT_MASK_RAW_TOUCH_BEGIN | XCB_INPUT_XI_EVENT_MASK_HIERARCHY};
    if (!watch->moving)
        selection.mask |= XCB_INPUT_XI_EVENT_MASK_RAW_MOTION;
    xcb_input_xi_select_events(watch->connection->xcb, watch->connection->root, 1, &selection.head);
    xcb_flush(watch->connection->xcb);
}

static void report_user_input(HfInputWatch *watch, HfUserInputKind how)
{
    watch->watcher.touched(g_get_monotonic_time(), how, watch->watcher.data);
}

static void on_key(HfInputWatch *watch, Device *device,
                   const xcb_input_raw_key_press_event_t *event)
{
    gboolean down = event->event_type == XCB_INPUT_RAW_KEY_PRESS;
    if (event->detail > 255 || event->flags & XCB_INPUT_KEY_EVENT_FLAGS_KEY_REPEAT)
        return;
    watch->key_us = g_get_monotonic_time();
    if (update_device_key(watch->devices, device, (guint8)event->detail, down))
        watch->watcher.stop(watch->watcher.data);
    if (down)
        report_user_input(watch, HF_USER_INPUT_PRESS);
}

static void on_motion(HfInputWatch *watch, Device *device,
                      const xcb_input_raw_motion_event_t *event)
{
    const guint32 *mask = xcb_input_raw_button_press_valuator_mask(event);
    const xcb_input_fp3232_t *values = xcb_input_raw_button_press_axisvalues(event);
    gint64 now = g_get_monotonic_time();
    if (now - watch->jitter_since_us > JITTER_US) {
        reset_device_motion(watch->devices);
        watch->jitter_since_us = now;
    }
    for (guint number = 0, index = 0; number < event->valuators_len * 32u && number < 2; number++)
        if (mask[0] & 1u << number)
            update_device_axis(device, number, fixed_to_double(values[index++]));
    if (watch->moving ||
        hypot(device->axes[0].moved, device->axes[1].moved) <= watch->watcher.jitter_px)
        return;
    watch->moving = TRUE;
    watch->paused_until_us = now + MOTION_PAUSE_US;
    report_user_input(watch, HF_USER_INPUT_MOTION);
    select_raw_events(watch);
}

static void on_raw_event(HfInputWatch *watch, const xcb_generic_event_t *event)
{
    const xcb_input_raw_key_press_event_t *raw = (const xcb_input_raw_key_press_event_t *)event;
    Device *device = g_hash_table_lookup(watch->devices->table, GUINT_TO_POINTER(raw->sourceid));
    if (raw->deviceid != raw->sourceid || !device)
        return;
    switch (raw->event_type) {
    case XCB_INPUT_RAW_KEY_PRESS:
    case XCB_INPUT_RAW_KEY_RELEASE:
        on_key(watch, device, raw);
        return;
    case XCB_INPUT_RAW_MOTION:
        on_motion(watch, device, (const xcb_input_raw_motion_event_t *)event);
        return;
    case XCB_INPUT_RAW_BUTTON_PRESS:
    case XCB_INPUT_RAW_TOUCH_BEGIN:
        report_user_input(watch, HF_USER_INPUT_PRESS);
        return;
    default:
        return;
    }
}

static gboolean is_raw(const HfInputWatch *watch, const xcb_generic_event_t *event)
{
    const xcb_ge_generic_event_t *generic = (const xcb_ge_generic_event_t *)event;
    return (event->response_type & 0x7f) == XCB_GE_GENERIC &&
           generic->extension == watch->devices->input_opcode &&
           generic->event_type != XCB_INPUT_HIERARCHY;
}

/* Keeps what the person holds. A keymap that changes while it is read causes another event. */
static void read_devices_again(HfInputWatch *watch)
{
    if (!watch->outdated || g_get_monotonic_time() - watch->key_us < KEYS_PAUSE_US)
        return;
    watch->outdated = FALSE;
    watch->key_us = g_get_monotonic_time(); /* the next attempt waits too */
    Devices *devices = devices_new(watch->connection, watch->chord, NULL);
    if (!devices)
        return;
    watch->outdated = devices->incomplete;
    inherit_held_keys(devices, watch->devices);
    devices_free(watch->devices);
    watch->devices = devices;
}

static void take_events(HfInputWatch *watch)
{
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb))) {
        if (is_raw(watch, event))
            on_raw_event(watch, event);
        else
            watch->outdated |= is_device_change(watch->devices, event);
        free(event);
    }
}

/* How long to wait for the next event, in milliseconds; -1: forever. */
static int next_wait_ms(const HfInputWatch *watch)
{
    gint64 now = g_get_monotonic_time(), left = G_MAXINT64;
    if (watch->moving)
        left = MIN(left, watch->paused_until_us - now);
    if (watch->outdated)
        left = MIN(left, watch->key_us + KEYS_PAUSE_US - now);
    return left == G_MAXINT64 ? -1 : (int)CLAMP(left / 1000 + 1, 0, 1000);
}

static void reselect_motion(HfInputWatch *watch)
{
    if (!watch->moving || g_get_monotonic_time() < watch->paused_until_us)
        return;
    watch->moving = FALSE;
    watch->jitter_since_us = 0;
    select_raw_events(watch);
}

static gpointer watch_input_thread(gpointer data)
{
    HfInputWatch *watch = data;
    struct pollfd fds[] = {{xcb_get_file_descriptor(watch->connection->xcb), POLLIN, 0},
                           {watch->wake_fd, POLLIN, 0}};
    while (hf_x11_check(watch->connection, NULL)) {
        reselect_motion(watch);
        read_devices_again(watch);
        /* Last, since waiting for a reply may take events off the socket, where poll looks. */
        take_events(watch);
        if (poll(fds, G_N_ELEMENTS(fds), next_wait_ms(watch)) < 0 && errno != EINTR)
            break;
        if (fds[1].revents)
            break;
    }
    return NULL;
}

static void watch_free(HfInputWatch *watch)
{
    if (!watch)
        return;
    if (watch->thread) {
        eventfd_write(watch->wake_fd, 1);
        g_thread_join(watch->thread);
    }
    devices_free(watch->devices);
    hf_x11_disconnect(watch->connection);
    g_array_unref(watch->chord);
    close(watch->wake_fd);
    g_free(watch);
}

static HfInputWatch *watch_start(HfDesktop *desktop, const HfInputWatcher *watcher, GError **error)
{
    HfInputWatch *watch = g_new0(HfInputWatch, 1);
    watch->watcher = *watcher;
    watch->chord = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < MIN(watcher->chord->len, MAX_CHORD_KEYS); i++) {
        guint32 keysym = hf_key_fold(g_array_index(watcher->chord, guint32, i));
        g_array_append_val(watch->chord, keysym);
    }
    watch->wake_fd = eventfd(0, EFD_CLOEXEC);
    watch->connection = hf_x11_connect(hf_x11(desktop)->connection->display, error);
    if (watch->connection)
        watch->devices = devices_new(watch->connection, watch->chord, error);
    if (!watch->devices) {
        watch_free(watch);
        return NULL;
    }
    watch->outdated = watch->devices->incomplete;
    select_raw_events(watch);
    /* The server has heeded that when it answers: from then on no input is missed. */
    free(xcb_get_input_focus_reply(watch->connection->xcb,
                                   xcb_get_input_focus(watch->connection->xcb), NULL));
    watch->thread = g_thread_new("input-watch", watch_input_thread, watch);
    return watch;
}

const HfInputWatchOps hf_x11_input_watch_ops = {.start = watch_start, .stop = watch_free};
