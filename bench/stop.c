/* SPDX-License-Identifier: Apache-2.0 */
/* How long a stop takes: from the press of the last key of the chord on a real device to the last
 * event that was injected. Both are seen by this one process, as raw events with its own clock.
 * One trial for each line on stdin; each writes {"last_us": N, "after": COUNT, "flow": COUNT} when
 * nothing was injected for a while; the flow is what was injected before. Shares no code with what
 * it judges. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

/* Silence after which a stop counts as over. */
#define SILENCE_MS 300
#define FLOW       20
/* Keycodes of every PC keyboard under X. */
enum { ESCAPE = 9, CONTROL = 37, SHIFT = 50 };

static xcb_connection_t *xcb;
static uint8_t opcode, first_event;
static int keyboard = -1, xtest_keyboard = -1, xtest_pointer = -1;

static long long now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static int is_called(const xcb_input_xi_device_info_t *info, const char *name)
{
    return info->name_len == strlen(name) &&
           memcmp(xcb_input_xi_device_info_name(info), name, info->name_len) == 0;
}

static void find_devices(void)
{
    free(xcb_input_xi_query_version_reply(xcb, xcb_input_xi_query_version(xcb, 2, 2), NULL));
    xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(
        xcb, xcb_input_xi_query_device(xcb, XCB_INPUT_DEVICE_ALL), NULL);
    xcb_input_xi_device_info_iterator_t infos = xcb_input_xi_query_device_infos_iterator(reply);
    for (; infos.rem; xcb_input_xi_device_info_next(&infos)) {
        if (is_called(infos.data, "Xvfb keyboard"))
            keyboard = infos.data->deviceid;
        if (is_called(infos.data, "Virtual core XTEST keyboard"))
            xtest_keyboard = infos.data->deviceid;
        if (is_called(infos.data, "Virtual core XTEST pointer"))
            xtest_pointer = infos.data->deviceid;
    }
    free(reply);
}

static void select_raw(xcb_window_t root)
{
    struct {
        xcb_input_event_mask_t head;
        uint32_t mask;
    } selection = {{XCB_INPUT_DEVICE_ALL, 1},
                   XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS |
                       XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS |
                       XCB_INPUT_XI_EVENT_MASK_RAW_MOTION};
    xcb_input_xi_select_events(xcb, root, 1, &selection.head);
}

static void key(uint8_t code, int down)
{
    uint8_t type = first_event + (down ? XCB_INPUT_DEVICE_KEY_PRESS : XCB_INPUT_DEVICE_KEY_RELEASE);
    xcb_test_fake_input(xcb, type, code, 0, XCB_NONE, 0, 0, (uint8_t)keyboard);
}

typedef enum Kind { OTHER, OURS, ESCAPE_PRESSED } Kind;

static Kind kind_of(const xcb_generic_event_t *event)
{
    const xcb_input_raw_key_press_event_t *raw = (const xcb_input_raw_key_press_event_t *)event;
    if ((event->response_type & 0x7f) != XCB_GE_GENERIC || raw->extension != opcode ||
        raw->deviceid != raw->sourceid)
        return OTHER;
    if (raw->sourceid == xtest_keyboard || raw->sourceid == xtest_pointer)
        return OURS;
    return raw->sourceid == keyboard && raw->detail == ESCAPE ? ESCAPE_PRESSED : OTHER;
}

static xcb_generic_event_t *next_event(void)
{
    xcb_generic_event_t *event = xcb_poll_for_event(xcb);
    struct pollfd fd = {xcb_get_file_descriptor(xcb), POLLIN, 0};
    while (!event && poll(&fd, 1, SILENCE_MS) > 0 && !xcb_connection_has_error(xcb))
        event = xcb_poll_for_event(xcb);
    return event;
}

static void trial(long flow)
{
    long long pressed = 0, last = 0;
    long after = 0;
    xcb_generic_event_t *event;
    key(CONTROL, 1);
    key(SHIFT, 1);
    key(ESCAPE, 1);
    xcb_flush(xcb);
    while ((event = next_event())) {
        Kind kind = kind_of(event);
        free(event);
        if (kind == ESCAPE_PRESSED)
            pressed = now_us();
        if (kind == OURS && pressed)
            last = now_us();
        after += kind == OURS && pressed;
    }
    key(ESCAPE, 0);
    key(SHIFT, 0);
    key(CONTROL, 0);
    free(xcb_get_input_focus_reply(xcb, xcb_get_input_focus(xcb), NULL));
    printf("{\"last_us\": %lld, \"after\": %ld, \"flow\": %ld}\n", last ? last - pressed : 0, after,
           flow);
    fflush(stdout);
}

/* The agent must be in full flow: so many events of its. */
static long wait_for_flow(void)
{
    long flow = 0;
    long long until = now_us() + 10000000;
    while (flow < FLOW && now_us() < until) {
        xcb_generic_event_t *event = next_event();
        flow += event && kind_of(event) == OURS;
        free(event);
    }
    return flow;
}

int main(void)
{
    char line[64];
    xcb = xcb_connect(NULL, NULL);
    const xcb_query_extension_reply_t *input = xcb_get_extension_data(xcb, &xcb_input_id);
    if (!input || !input->present)
        return 1;
    opcode = input->major_opcode;
    first_event = input->first_event;
    find_devices();
    if (keyboard < 0)
        return 1;
    select_raw(xcb_setup_roots_iterator(xcb_get_setup(xcb)).data->root);
    free(xcb_get_input_focus_reply(xcb, xcb_get_input_focus(xcb), NULL));
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        long flow = wait_for_flow();
        trial(flow);
    }
    return 0;
}
