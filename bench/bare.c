/* SPDX-License-Identifier: Apache-2.0 */
/* Commands on standard input, one answer line for each:
 *   wm                       wait until a window manager is there
 *   find TITLE               the number of the window whose title contains TITLE
 *   activate WINDOW          wait until it is the active window
 *   ping WINDOW              wait until its program has read everything
 *   chord MODIFIER KEY       keysyms as numbers; modifier 0 for none
 *   click X Y                answers "START END" in nanoseconds
 *   type WINDOW FILE         answers "START END"
 * "timeout" is the answer when something did not happen in time. */
#include "bare.h"

#include <glib.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xtest.h>

#include "clock.h"

#define WAIT_MS 20000
#define POLL_MS 5

void bare_sync(Bare *bare)
{
    free(xcb_get_input_focus_reply(bare->xcb, xcb_get_input_focus(bare->xcb), NULL));
}

void bare_key(Bare *bare, int keycode, int press)
{
    xcb_test_fake_input(bare->xcb, press ? XCB_KEY_PRESS : XCB_KEY_RELEASE, (uint8_t)keycode, 0,
                        XCB_NONE, 0, 0, 0);
}

static xcb_atom_t intern(Bare *bare, const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        bare->xcb, xcb_intern_atom(bare->xcb, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t atom = reply->atom;
    free(reply);
    return atom;
}

static double elapsed_ms(int64_t start)
{
    return (double)(bench_now_ns() - start) / 1e6;
}

static gboolean is_pong(const Bare *bare, const xcb_generic_event_t *event)
{
    if ((event->response_type & 0x7f) != XCB_CLIENT_MESSAGE)
        return FALSE;
    const xcb_client_message_event_t *message = (const xcb_client_message_event_t *)event;
    return message->type == bare->protocols && message->data.data32[0] == bare->ping &&
           message->data.data32[1] == bare->pings;
}

static gboolean take_pong(Bare *bare)
{
    gboolean found = FALSE;
    xcb_generic_event_t *event;
    while (!found && (event = xcb_poll_for_event(bare->xcb)) != NULL) {
        found = is_pong(bare, event);
        free(event);
    }
    return found;
}

double bare_ping(Bare *bare, xcb_window_t window, int limit_ms)
{
    int64_t start = bench_now_ns();
    xcb_client_message_event_t message = {.response_type = XCB_CLIENT_MESSAGE,
                                          .format = 32,
                                          .window = window,
                                          .type = bare->protocols};
    message.data.data32[0] = bare->ping;
    message.data.data32[1] = ++bare->pings;
    message.data.data32[2] = window;
    xcb_send_event(bare->xcb, 0, window, 0, (const char *)&message);
    xcb_flush(bare->xcb);
    while (!take_pong(bare)) {
        if (elapsed_ms(start) > limit_ms || xcb_connection_has_error(bare->xcb))
            return -1;
        struct pollfd ready = {xcb_get_file_descriptor(bare->xcb), POLLIN, 0};
        poll(&ready, 1, POLL_MS);
    }
    return elapsed_ms(start);
}

/* A property of windows; the count is 0 when it is absent. */
static xcb_window_t *dup_windows(Bare *bare, const char *name, int *ret_count)
{
    xcb_get_property_reply_t *reply =
        xcb_get_property_reply(bare->xcb,
                               xcb_get_property(bare->xcb, 0, bare->screen->root,
                                                intern(bare, name), XCB_ATOM_WINDOW, 0, 1024),
                               NULL);
    *ret_count = reply != NULL ? xcb_get_property_value_length(reply) / 4 : 0;
    xcb_window_t *windows =
        *ret_count > 0 ? g_memdup2(xcb_get_property_value(reply), (gsize)*ret_count * 4) : NULL;
    free(reply);
    return windows;
}

static gboolean property_contains(Bare *bare, xcb_window_t window, const char *name,
                                  const char *part)
{
    xcb_get_property_reply_t *reply = xcb_get_property_reply(
        bare->xcb,
        xcb_get_property(bare->xcb, 0, window, intern(bare, name), XCB_ATOM_ANY, 0, 1024), NULL);
    int length = reply != NULL ? xcb_get_property_value_length(reply) : 0;
    g_autofree char *title =
        g_strndup(reply != NULL ? xcb_get_property_value(reply) : "", (gsize)length);
    free(reply);
    return strstr(title, part) != NULL;
}

/* Old programs (xterm) have only the second name. */
static gboolean has_title(Bare *bare, xcb_window_t window, const char *part)
{
    return property_contains(bare, window, "_NET_WM_NAME", part) ||
           property_contains(bare, window, "WM_NAME", part);
}

static xcb_window_t find_window(Bare *bare, const char *title)
{
    int count;
    g_autofree xcb_window_t *windows = dup_windows(bare, "_NET_CLIENT_LIST", &count);
    for (int i = 0; i < count; i++)
        if (has_title(bare, windows[i], title))
            return windows[i];
    return XCB_NONE;
}

static xcb_window_t get_active(Bare *bare, const char *unused)
{
    int count;
    g_autofree xcb_window_t *windows = dup_windows(bare, "_NET_ACTIVE_WINDOW", &count);
    return count > 0 ? windows[0] : XCB_NONE;
}

static xcb_window_t get_window_manager(Bare *bare, const char *unused)
{
    int count;
    g_autofree xcb_window_t *windows = dup_windows(bare, "_NET_SUPPORTING_WM_CHECK", &count);
    return count > 0 ? windows[0] : XCB_NONE;
}

/* Repeats the question until the answer is the wanted window (0: any). */
static xcb_window_t await(Bare *bare, xcb_window_t (*ask)(Bare *, const char *), const char *what,
                          xcb_window_t wanted)
{
    int64_t start = bench_now_ns();
    while (elapsed_ms(start) < WAIT_MS) {
        xcb_window_t window = ask(bare, what);
        if (wanted != XCB_NONE ? window == wanted : window != XCB_NONE)
            return window;
        struct pollfd never = {-1, 0, 0};
        poll(&never, 1, POLL_MS);
    }
    return XCB_NONE;
}

static void answer_window(xcb_window_t window)
{
    if (window == XCB_NONE)
        puts("timeout");
    else
        printf("%u\n", window);
}

static void activate(Bare *bare, xcb_window_t window)
{
    xcb_client_message_event_t message = {.response_type = XCB_CLIENT_MESSAGE,
                                          .format = 32,
                                          .window = window,
                                          .type = intern(bare, "_NET_ACTIVE_WINDOW")};
    message.data.data32[0] = 2; /* the request of a pager, which is always granted */
    xcb_send_event(bare->xcb, 0, bare->screen->root,
                   XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                   (const char *)&message);
    answer_window(await(bare, get_active, NULL, window));
}

static void click(Bare *bare, int x, int y)
{
    int64_t start = bench_now_ns();
    xcb_test_fake_input(bare->xcb, XCB_MOTION_NOTIFY, 0, 0, bare->screen->root, (int16_t)x,
                        (int16_t)y, 0);
    xcb_test_fake_input(bare->xcb, XCB_BUTTON_PRESS, 1, 0, XCB_NONE, 0, 0, 0);
    xcb_test_fake_input(bare->xcb, XCB_BUTTON_RELEASE, 1, 0, XCB_NONE, 0, 0, 0);
    bare_sync(bare);
    printf("%" PRId64 " %" PRId64 "\n", start, bench_now_ns());
}

static void type_file(Bare *bare, xcb_window_t window, const char *path)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        puts("unreadable");
        return;
    }
    int64_t start = bench_now_ns();
    if (bare_type(bare, window, text) < 0)
        puts("timeout");
    else
        printf("%" PRId64 " %" PRId64 "\n", start, bench_now_ns());
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 0);
}

static void obey(Bare *bare, char **words)
{
    const char *command = words[0];
    guint count = g_strv_length(words);
    if (strcmp(command, "wm") == 0)
        answer_window(await(bare, get_window_manager, NULL, XCB_NONE));
    else if (strcmp(command, "find") == 0 && count == 2)
        answer_window(await(bare, find_window, words[1], XCB_NONE));
    else if (strcmp(command, "activate") == 0 && count == 2)
        activate(bare, number(words[1]));
    else if (strcmp(command, "ping") == 0 && count == 2)
        printf("%s\n", bare_ping(bare, number(words[1]), WAIT_MS) >= 0 ? "ok" : "timeout");
    else if (strcmp(command, "click") == 0 && count == 3)
        click(bare, atoi(words[1]), atoi(words[2]));
    else if (strcmp(command, "type") == 0 && count == 3)
        type_file(bare, number(words[1]), words[2]);
    else if (strcmp(command, "chord") == 0 && count == 3) {
        bare_chord(bare, number(words[1]), number(words[2]));
        puts("ok");
    } else
        puts("unknown command");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    Bare bare = {.xcb = xcb_connect(NULL, NULL)};
    if (xcb_connection_has_error(bare.xcb))
        return 1;
    bare.screen = xcb_setup_roots_iterator(xcb_get_setup(bare.xcb)).data;
    bare.protocols = intern(&bare, "WM_PROTOCOLS");
    bare.ping = intern(&bare, "_NET_WM_PING");
    /* Answers to pings are sent to the root window. */
    const uint32_t mask = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
    xcb_change_window_attributes(bare.xcb, bare.screen->root, XCB_CW_EVENT_MASK, &mask);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        g_auto(GStrv) words = g_strsplit(g_strchomp(line), " ", 3);
        if (words[0] != NULL)
            obey(&bare, words);
    }
    free(line);
    xcb_disconnect(bare.xcb);
    return 0;
}
