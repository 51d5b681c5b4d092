/* SPDX-License-Identifier: Apache-2.0 */
/* The program that is clicked: a plain window that writes down when each button press reached
 * it and where. The window manager is left out (override-redirect), so that only the contender
 * and the X server are in the measured path. Usage: receiver X Y WIDTH HEIGHT. Prints "ready"
 * and then "NANOSECONDS X Y" for each press. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xcb/xcb.h>

#include "clock.h"

static void show_window(xcb_connection_t *connection, char **place)
{
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    xcb_window_t window = xcb_generate_id(connection);
    const uint32_t values[] = {screen->white_pixel, 1,
                               XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_EXPOSURE};
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root,
                      (int16_t)atoi(place[0]), (int16_t)atoi(place[1]), (uint16_t)atoi(place[2]),
                      (uint16_t)atoi(place[3]), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      screen->root_visual,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
    xcb_map_window(connection, window);
    xcb_flush(connection);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: receiver X Y WIDTH HEIGHT\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    xcb_connection_t *connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(connection))
        return 1;
    show_window(connection, argv + 1);
    xcb_generic_event_t *event;
    while ((event = xcb_wait_for_event(connection)) != NULL) {
        int64_t now = bench_now_ns();
        if ((event->response_type & 0x7f) == XCB_BUTTON_PRESS) {
            xcb_button_press_event_t *press = (xcb_button_press_event_t *)event;
            printf("%" PRId64 " %d %d\n", now, press->root_x, press->root_y);
        } else if ((event->response_type & 0x7f) == XCB_EXPOSE) {
            puts("ready");
        }
        free(event);
    }
    xcb_disconnect(connection);
    return 0;
}
