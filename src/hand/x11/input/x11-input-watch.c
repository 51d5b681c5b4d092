/* SPDX-License-Identifier: Apache-2.0 */
/* A thread with a connection of its own that reads raw events, which come whoever has grabbed the
 * keyboard. Every event comes twice, from its own device and from the master; the first counts.
 * A mouse sends up to a thousand events a second: once it is known to move, its motion is not asked
 * for again for a while. Key repeat is the server's doing and the pointer's warps make no raw
 * event, so neither counts. */
#include "hand/x11/input/x11-input-watch.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xinput.h>

#include "hand/x11/core/x11.h"
#include "hand/x11/input/input-devices.h"
#include "shared/base/error.h"

/* For how long motion is not asked for after it was seen. */
#define MOTION_REST_US (250 * 1000)
/* What moves less than the jitter within this time does not count. */
#define JITTER_US G_USEC_PER_SEC
/* Keymaps are read anew only after this long without a key: that takes many answers of a server
 * that may be busy, and a chord must not wait for them. */
#define KEYS_REST_US (300 * 1000)

struct HfInputWatch {
    HfInputWatcher watcher;
    GArray *chord;
    HfX11Connection *connection;
    HfX11InputDevices *devices;
    GThread *thread;
    int wake_fd;
    gboolean moving;      /* motion is not asked for */
    gint64 rest_until_us; /* while `moving` */
    gint64 jitter_since_us;
    gboolean outdated; /* devices or keymaps have changed */
    gint64 key_us;     /* of the last key */
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

static void on_key(HfInputWatch *watch, HfX11InputDevice *device,
                   const xcb_input_raw_key_press_event_t *event)
{
    gboolean down = event->event_type == XCB_INPUT_RAW_KEY_PRESS;
    if (event->detail > 255 || event->flags & XCB_INPUT_KEY_EVENT_FLAGS_KEY_REPEAT)
        return;
    watch->key_us = g_get_monotonic_time();
    if (hf_x11_input_devices_key(watch->devices, device, (guint8)event->detail, down))
        watch->watcher.stop(watch->watcher.data);
    if (down)
        report_user_input(watch, HF_USER_INPUT_PRESS);
}

static double fixed_to_double(xcb_input_fp3232_t value)
{
    return value.integral + value.frac / 4294967296.0;
}

static void on_motion(HfInputWatch *watch, HfX11InputDevice *device,
                      const xcb_input_raw_motion_event_t *event)
{
    const guint32 *mask = xcb_input_raw_button_press_valuator_mask(event);
    const xcb_input_fp3232_t *values = xcb_input_raw_button_press_axisvalues(event);
    gint64 now = g_get_monotonic_time();
    if (now - watch->jitter_since_us > JITTER_US) {
        hf_x11_input_devices_reset_motion(watch->devices);
        watch->jitter_since_us = now;
    }
    for (guint number = 0, index = 0; number < event->valuators_len * 32u && number < 2; number++)
        if (mask[0] & 1u << number)
            hf_x11_input_device_axis(device, number, fixed_to_double(values[index++]));
    if (watch->moving ||
        hypot(device->axes[0].moved, device->axes[1].moved) <= watch->watcher.jitter_px)
        return;
    watch->moving = TRUE;
    watch->rest_until_us = now + MOTION_REST_US;
    report_user_input(watch, HF_USER_INPUT_MOTION);
    select_raw_events(watch);
}

static void on_raw_event(HfInputWatch *watch, const xcb_generic_event_t *event)
{
    const xcb_input_raw_key_press_event_t *raw = (const xcb_input_raw_key_press_event_t *)event;
    HfX11InputDevice *device = hf_x11_input_devices_find(watch->devices, raw->sourceid);
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
           generic->extension == hf_x11_extension(watch->connection, &xcb_input_id)->major_opcode &&
           generic->event_type != XCB_INPUT_HIERARCHY;
}

/* What is held must not be forgotten over it. Keymaps that are read anew may have changed again
 * meanwhile, which gives another event. */
static void read_devices_again(HfInputWatch *watch)
{
    if (!watch->outdated || g_get_monotonic_time() - watch->key_us < KEYS_REST_US)
        return;
    watch->outdated = FALSE;
    watch->key_us = g_get_monotonic_time(); /* should it have to be tried again */
    HfX11InputDevices *devices = hf_x11_input_devices_new(watch->connection, watch->chord, NULL);
    if (!devices)
        return;
    watch->outdated = hf_x11_input_devices_incomplete(devices);
    hf_x11_input_devices_inherit(devices, watch->devices);
    hf_x11_input_devices_free(watch->devices);
    watch->devices = devices;
}

static void take_events(HfInputWatch *watch)
{
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb))) {
        if (is_raw(watch, event))
            on_raw_event(watch, event);
        else
            watch->outdated |= hf_x11_input_devices_outdated(watch->devices, event);
        free(event);
    }
}

/* How long to wait for the next event, in milliseconds; -1: for ever. */
static int next_wait_ms(const HfInputWatch *watch)
{
    gint64 now = g_get_monotonic_time(), left = G_MAXINT64;
    if (watch->moving)
        left = MIN(left, watch->rest_until_us - now);
    if (watch->outdated)
        left = MIN(left, watch->key_us + KEYS_REST_US - now);
    return left == G_MAXINT64 ? -1 : (int)CLAMP(left / 1000 + 1, 0, 1000);
}

static void ask_for_motion_again(HfInputWatch *watch)
{
    if (!watch->moving || g_get_monotonic_time() < watch->rest_until_us)
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
        ask_for_motion_again(watch);
        read_devices_again(watch);
        /* Last: whoever waits for an answer may have taken events off the socket, and poll would
         * not see them. */
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
    hf_x11_input_devices_free(watch->devices);
    hf_x11_disconnect(watch->connection);
    g_array_unref(watch->chord);
    close(watch->wake_fd);
    g_free(watch);
}

static HfInputWatch *watch_start(HfDesktop *desktop, const HfInputWatcher *watcher, GError **error)
{
    HfInputWatch *watch = g_new0(HfInputWatch, 1);
    watch->watcher = *watcher;
    watch->chord = g_array_copy((GArray *)watcher->chord);
    watch->wake_fd = eventfd(0, EFD_CLOEXEC);
    watch->connection = hf_x11_connect(hf_x11(desktop)->connection->display, error);
    if (watch->connection)
        watch->devices = hf_x11_input_devices_new(watch->connection, watch->chord, error);
    if (!watch->devices) {
        watch_free(watch);
        return NULL;
    }
    watch->outdated = hf_x11_input_devices_incomplete(watch->devices);
    select_raw_events(watch);
    watch->thread = g_thread_new("input-watch", watch_input_thread, watch);
    return watch;
}

const HfWatchOps hf_x11_input_watch_ops = {.start = watch_start, .stop = watch_free};
