/* SPDX-License-Identifier: Apache-2.0 */
/* A window that writes down every event it saw, as one JSON object a line on stdout (or in a file).
 * It is the witness of the tests: it must not share code with what it bears witness to, so it uses
 * XCB alone, and asks the server nothing while events come in.
 *
 *   recorder [--geometry WxH+X+Y] [--title TEXT] [--class NAME] [--override] [--output FILE]
 *            [--until-eof]
 *
 * --override maps the window without asking a window manager. The line
 * {"event":"ready","window":ID} is written when the window is on the screen. It ends when its
 * window is closed, its stdin is closed with --until-eof, or the server goes away. */
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xcb/xcb.h>

typedef struct Options {
    int x, y, width, height;
    const char *title, *class_name;
    bool override, until_eof;
    FILE *output;
} Options;

static xcb_connection_t *xcb;
static xcb_window_t window;
static xcb_atom_t wm_protocols, wm_delete_window, net_wm_ping;
static xcb_window_t root;
static FILE *output;

static const uint32_t event_mask = XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE |
                                   XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE |
                                   XCB_EVENT_MASK_POINTER_MOTION | XCB_EVENT_MASK_ENTER_WINDOW |
                                   XCB_EVENT_MASK_LEAVE_WINDOW | XCB_EVENT_MASK_FOCUS_CHANGE |
                                   XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_EXPOSURE;

static long long now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static xcb_atom_t atom(const char *name)
{
    xcb_intern_atom_reply_t *reply =
        xcb_intern_atom_reply(xcb, xcb_intern_atom(xcb, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t value = reply ? reply->atom : XCB_ATOM_NONE;
    free(reply);
    return value;
}

static void begin(const char *event)
{
    fprintf(output, "{\"event\":\"%s\",\"at_us\":%lld", event, now_us());
}

static void end(void)
{
    fputs("}\n", output);
    fflush(output);
}

static void put_state(unsigned state)
{
    static const char *const names[] = {"shift",   "lock",    "ctrl",   "alt",     "mod2",
                                        "mod3",    "super",   "mod5",   "button1", "button2",
                                        "button3", "button4", "button5"};
    fprintf(output, ",\"state\":%u,\"modifiers\":[", state);
    const char *comma = "";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (state & (1u << i)) {
            fprintf(output, "%s\"%s\"", comma, names[i]);
            comma = ",";
        }
    fputc(']', output);
}

/* Key, button, motion, enter and leave events have these members in the same places. */
static void put_device(const char *name, const char *detail, const xcb_button_press_event_t *event)
{
    begin(name);
    if (detail)
        fprintf(output, ",\"%s\":%u", detail, event->detail);
    fprintf(output, ",\"x\":%d,\"y\":%d,\"window_x\":%d,\"window_y\":%d,\"time\":%u", event->root_x,
            event->root_y, event->event_x, event->event_y, event->time);
    put_state(event->state);
    end();
}

static void put_configure(const xcb_configure_notify_event_t *event)
{
    begin("configure");
    fprintf(output, ",\"x\":%d,\"y\":%d,\"width\":%u,\"height\":%u", event->x, event->y,
            event->width, event->height);
    end();
}

/* FALSE when the window was asked to close. A ping is answered, as a living program does. */
static bool client_message(xcb_client_message_event_t *event)
{
    if (event->type != wm_protocols)
        return true;
    if (event->data.data32[0] == net_wm_ping) {
        event->window = root;
        xcb_send_event(xcb, 0, root,
                       XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                       (const char *)event);
        return true;
    }
    bool closing = event->data.data32[0] == wm_delete_window;
    begin(closing ? "close" : "protocol");
    end();
    return !closing;
}

static void put_plain(const char *name)
{
    begin(name);
    end();
}

static bool record(xcb_generic_event_t *event)
{
    const xcb_button_press_event_t *device = (const void *)event;
    switch (event->response_type & 0x7f) {
    case XCB_KEY_PRESS:
        put_device("key_press", "keycode", device);
        return true;
    case XCB_KEY_RELEASE:
        put_device("key_release", "keycode", device);
        return true;
    case XCB_BUTTON_PRESS:
        put_device("button_press", "button", device);
        return true;
    case XCB_BUTTON_RELEASE:
        put_device("button_release", "button", device);
        return true;
    case XCB_MOTION_NOTIFY:
        put_device("motion", NULL, device);
        return true;
    case XCB_ENTER_NOTIFY:
        put_device("enter", NULL, device);
        return true;
    case XCB_LEAVE_NOTIFY:
        put_device("leave", NULL, device);
        return true;
    case XCB_FOCUS_IN:
        put_plain("focus_in");
        return true;
    case XCB_FOCUS_OUT:
        put_plain("focus_out");
        return true;
    case XCB_CONFIGURE_NOTIFY:
        put_configure((const void *)event);
        return true;
    case XCB_UNMAP_NOTIFY:
        put_plain("unmap");
        return true;
    case XCB_MAPPING_NOTIFY:
        put_plain("mapping");
        return true;
    case XCB_DESTROY_NOTIFY:
        return false;
    case XCB_CLIENT_MESSAGE:
        return client_message((void *)event);
    default:
        return true;
    }
}

static void set_text(const char *property, const char *type, const char *text, size_t length)
{
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, window, atom(property), atom(type), 8,
                        (uint32_t)length, text);
}

static void create_window(const Options *options)
{
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(xcb)).data;
    root = screen->root;
    window = xcb_generate_id(xcb);
    uint32_t values[] = {screen->white_pixel, options->override, event_mask};
    xcb_create_window(xcb, XCB_COPY_FROM_PARENT, window, root, (int16_t)options->x,
                      (int16_t)options->y, (uint16_t)options->width, (uint16_t)options->height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
    set_text("_NET_WM_NAME", "UTF8_STRING", options->title, strlen(options->title));
    set_text("WM_NAME", "STRING", options->title, strlen(options->title));
    char class_pair[256];
    int length = snprintf(class_pair, sizeof class_pair, "%s%c%s", options->class_name, 0,
                          options->class_name);
    set_text("WM_CLASS", "STRING", class_pair, (size_t)length + 1);
    uint32_t pid = (uint32_t)getpid();
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, window, atom("_NET_WM_PID"), XCB_ATOM_CARDINAL,
                        32, 1, &pid);
    wm_protocols = atom("WM_PROTOCOLS");
    wm_delete_window = atom("WM_DELETE_WINDOW");
    net_wm_ping = atom("_NET_WM_PING");
    xcb_atom_t protocols[] = {wm_delete_window, net_wm_ping};
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, window, wm_protocols, XCB_ATOM_ATOM, 32, 2,
                        protocols);
    /* USPosition and PPosition: a window manager then leaves it where it was asked to be. */
    uint32_t hints[18] = {1 | 4, (uint32_t)options->x, (uint32_t)options->y};
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NORMAL_HINTS,
                        XCB_ATOM_WM_SIZE_HINTS, 32, 18, hints);
    xcb_map_window(xcb, window);
    xcb_flush(xcb);
}

/* The window is on the screen when it has been asked to draw itself. */
static bool wait_until_visible(void)
{
    xcb_generic_event_t *event;
    bool exposed = false, going = true;
    while (!exposed && going && (event = xcb_wait_for_event(xcb))) {
        exposed = (event->response_type & 0x7f) == XCB_EXPOSE;
        going = record(event);
        free(event);
    }
    if (!exposed)
        return false;
    begin("ready");
    fprintf(output, ",\"window\":%u", window);
    end();
    return true;
}

static bool parse(int count, char **arguments, Options *options)
{
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--override") == 0) {
            options->override = true;
            continue;
        }
        if (strcmp(name, "--until-eof") == 0) {
            options->until_eof = true;
            continue;
        }
        const char *value = i + 1 < count ? arguments[++i] : NULL;
        if (!value)
            return false;
        if (strcmp(name, "--title") == 0)
            options->title = value;
        else if (strcmp(name, "--class") == 0)
            options->class_name = value;
        else if (strcmp(name, "--output") == 0)
            options->output = fopen(value, "w");
        else if (strcmp(name, "--geometry") != 0 ||
                 sscanf(value, "%dx%d%d%d", &options->width, &options->height, &options->x,
                        &options->y) != 4)
            return false;
    }
    return options->output != NULL;
}

/* TRUE while there may be more; FALSE when the server or, with --until-eof, stdin has ended. */
static bool wait_for_more(bool until_eof)
{
    struct pollfd fds[2] = {{xcb_get_file_descriptor(xcb), POLLIN, 0},
                            {until_eof ? STDIN_FILENO : -1, POLLIN, 0}};
    xcb_flush(xcb);
    if (poll(fds, 2, -1) < 0)
        return false;
    char ignored[64];
    if (fds[1].revents && read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
        return false;
    return !xcb_connection_has_error(xcb);
}

int main(int count, char **arguments)
{
    Options options = {.x = 0,
                       .y = 0,
                       .width = 400,
                       .height = 300,
                       .title = "Recorder",
                       .class_name = "Recorder",
                       .output = stdout};
    if (!parse(count, arguments, &options)) {
        fputs("usage: recorder [--geometry WxH+X+Y] [--title TEXT] [--class NAME] [--override] "
              "[--output FILE] [--until-eof]\n",
              stderr);
        return 2;
    }
    output = options.output;
    xcb = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(xcb))
        return 1;
    create_window(&options);
    bool going = wait_until_visible();
    while (going) {
        xcb_generic_event_t *event = xcb_poll_for_event(xcb);
        if (event)
            going = record(event);
        else
            going = wait_for_more(options.until_eof);
        free(event);
    }
    xcb_disconnect(xcb);
    return 0;
}
