/* SPDX-License-Identifier: Apache-2.0 */
/* Lists windows and reads what they say about themselves. The list is the window manager's, or the
 * root's children without one. Any program can write any value into a property, so sizes and
 * formats are checked, text is made valid, and states that only a window manager may set count only
 * while one runs. */
#include "hand/x11/windows/x11-windows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hand/x11/capture/x11-screen.h"
#include "hand/x11/windows/window-change.h"
#include "hand/x11/windows/window-identify.h"
#include "hand/x11/windows/window-pid.h"
#include "hand/x11/windows/window-watch.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* Wider decorations and margins are not real. */
#define MAX_EXTENT 1000

enum {
    NAME,
    OLD_NAME,
    CLASS,
    MACHINE,
    PID,
    STATE,
    OLD_STATE,
    WORKSPACE,
    FRAME,
    MARGIN,
    TYPE,
    TRANSIENT,
    STARTUP,
    PROPERTIES
};

static const struct {
    const char *name;
    guint bytes;
} properties[PROPERTIES] = {
    [NAME] = {"_NET_WM_NAME", HF_LIMIT_TITLE_BYTES},
    [OLD_NAME] = {"WM_NAME", HF_LIMIT_TITLE_BYTES},
    [CLASS] = {"WM_CLASS", 512},
    [MACHINE] = {"WM_CLIENT_MACHINE", 256},
    [PID] = {"_NET_WM_PID", 4},
    [STATE] = {"_NET_WM_STATE", 128},
    [OLD_STATE] = {"WM_STATE", 8},
    [WORKSPACE] = {"_NET_WM_DESKTOP", 4},
    [FRAME] = {"_NET_FRAME_EXTENTS", 16},
    [MARGIN] = {"_GTK_FRAME_EXTENTS", 16},
    [TYPE] = {"_NET_WM_WINDOW_TYPE", 128},
    [TRANSIENT] = {"WM_TRANSIENT_FOR", 4},
    [STARTUP] = {"_NET_STARTUP_ID", 512},
};

enum { MODAL, ABOVE, FULLSCREEN, MAXIMIZED_VERT, MAXIMIZED_HORZ, HIDDEN, SHADED, STATES };

static const char *const state_names[STATES] = {
    [MODAL] = "_NET_WM_STATE_MODAL",
    [ABOVE] = "_NET_WM_STATE_ABOVE",
    [FULLSCREEN] = "_NET_WM_STATE_FULLSCREEN",
    [MAXIMIZED_VERT] = "_NET_WM_STATE_MAXIMIZED_VERT",
    [MAXIMIZED_HORZ] = "_NET_WM_STATE_MAXIMIZED_HORZ",
    [HIDDEN] = "_NET_WM_STATE_HIDDEN",
    [SHADED] = "_NET_WM_STATE_SHADED",
};

static const struct {
    const char *name;
    HfWindowKind kind;
} types[] = {
    {"_NET_WM_WINDOW_TYPE_NORMAL", HF_WINDOW_NORMAL},
    {"_NET_WM_WINDOW_TYPE_DIALOG", HF_WINDOW_DIALOG},
    {"_NET_WM_WINDOW_TYPE_UTILITY", HF_WINDOW_UTILITY},
    {"_NET_WM_WINDOW_TYPE_TOOLBAR", HF_WINDOW_UTILITY},
    {"_NET_WM_WINDOW_TYPE_MENU", HF_WINDOW_UTILITY},
    {"_NET_WM_WINDOW_TYPE_SPLASH", HF_WINDOW_SPLASH},
    {"_NET_WM_WINDOW_TYPE_DOCK", HF_WINDOW_DOCK},
    {"_NET_WM_WINDOW_TYPE_DESKTOP", HF_WINDOW_DESKTOP},
};

typedef struct Cookies {
    xcb_get_window_attributes_cookie_t attributes;
    xcb_get_geometry_cookie_t geometry;
    xcb_translate_coordinates_cookie_t place;
    xcb_get_property_cookie_t properties[PROPERTIES];
} Cookies;

typedef struct Replies {
    xcb_get_window_attributes_reply_t *attributes;
    xcb_get_geometry_reply_t *geometry;
    xcb_translate_coordinates_reply_t *place;
    xcb_get_property_reply_t *properties[PROPERTIES];
} Replies;

typedef struct Reader {
    HfX11Connection *connection;
    const HfX11Ewmh *ewmh;
    gboolean hidden_state; /* the window manager marks minimised windows with HIDDEN */
    char host[256];
} Reader;

/* Queries on their way to the server: many take as long as one. */
typedef struct WindowQueries {
    HfX11Connection *connection;
    gsize count, next; /* `next`: the first whose replies were not read yet */
    guint32 *ids;
    HfX11PidCookie pids;
    Cookies *cookies;
} WindowQueries;

static void replies_clear(Replies *replies)
{
    free(replies->attributes);
    free(replies->geometry);
    free(replies->place);
    for (int i = 0; i < PROPERTIES; i++)
        free(replies->properties[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Replies, replies_clear)

/* Attributes first and geometry last: a window that was mapped at the beginning and still exists
 * at the end had all of its properties in between. */
static Cookies send_window_queries(HfX11Connection *connection, xcb_window_t id)
{
    Cookies cookies;
    cookies.attributes = xcb_get_window_attributes(connection->xcb, id);
    for (int i = 0; i < PROPERTIES; i++)
        cookies.properties[i] =
            xcb_get_property(connection->xcb, 0, id, hf_x11_atom(connection, properties[i].name),
                             XCB_ATOM_ANY, 0, properties[i].bytes / 4);
    cookies.place = xcb_translate_coordinates(connection->xcb, id, connection->root, 0, 0);
    cookies.geometry = xcb_get_geometry(connection->xcb, id);
    return cookies;
}

/* The property's 32-bit values; 0 of them when absent or of another format. */
static gsize values_of(const Replies *replies, int property, const guint32 **ret_values)
{
    const xcb_get_property_reply_t *reply = replies->properties[property];
    if (!reply || reply->format != 32)
        return 0;
    *ret_values = xcb_get_property_value(reply);
    return (gsize)xcb_get_property_value_length(reply) / 4;
}

static guint32 get_property_value(const Replies *replies, int property, guint32 fallback)
{
    const guint32 *values = NULL;
    return values_of(replies, property, &values) > 0 ? values[0] : fallback;
}

/* A bit for each state in _NET_WM_STATE. */
static guint read_state_bits(const Reader *reader, const Replies *replies)
{
    const guint32 *values = NULL;
    gsize count = values_of(replies, STATE, &values);
    guint bits = 0;
    for (int i = 0; i < STATES; i++)
        if (hf_x11_contains(values, count, hf_x11_atom(reader->connection, state_names[i])))
            bits |= 1u << i;
    return bits;
}

static char *dup_property_line(HfX11Connection *connection, const xcb_get_property_reply_t *reply)
{
    if (!reply || reply->format != 8 || xcb_get_property_value_length(reply) == 0)
        return NULL;
    return hf_x11_text_decode_line(
        hf_x11_encoding(connection, reply->type), xcb_get_property_value(reply),
        (gsize)xcb_get_property_value_length(reply), reply->bytes_after > 0);
}

char *hf_x11_window_dup_title(HfX11Connection *connection, const xcb_get_property_reply_t *name,
                              const xcb_get_property_reply_t *old_name)
{
    char *title = dup_property_line(connection, name);
    if (!title)
        title = dup_property_line(connection, old_name);
    return title ? title : g_strdup("");
}

static void read_texts(const Reader *reader, const Replies *replies, HfWindow *window)
{
    window->title = hf_x11_window_dup_title(reader->connection, replies->properties[NAME],
                                            replies->properties[OLD_NAME]);
    window->startup_id = dup_property_line(reader->connection, replies->properties[STARTUP]);
    /* Two strings, each ended by NUL: instance, class. */
    const xcb_get_property_reply_t *reply = replies->properties[CLASS];
    const char *text = reply && reply->format == 8 ? xcb_get_property_value(reply) : NULL;
    gsize length = text ? (gsize)xcb_get_property_value_length(reply) : 0;
    gsize first = strnlen(text ? text : "", length);
    gsize second = first < length ? strnlen(text + first + 1, length - first - 1) : 0;
    window->instance =
        hf_x11_text_decode_line(HF_X11_ENCODING_LATIN1, text ? text : "", first, FALSE);
    window->class_name = hf_x11_text_decode_line(HF_X11_ENCODING_LATIN1,
                                                 second ? text + first + 1 : "", second, FALSE);
}

static HfRect grow_by_extents(HfRect rect, const Replies *replies, int property, int sign)
{
    const guint32 *extents = NULL; /* left, right, top, bottom */
    if (values_of(replies, property, &extents) < 4)
        return rect;
    for (int i = 0; i < 4; i++)
        if (extents[i] > MAX_EXTENT)
            return rect;
    int left = (int)extents[0] * sign, right = (int)extents[1] * sign;
    int top = (int)extents[2] * sign, bottom = (int)extents[3] * sign;
    return (HfRect){rect.x - left, rect.y - top, rect.width + left + right,
                    rect.height + top + bottom};
}

static void read_window_place(const Reader *reader, const Replies *replies, HfWindow *window)
{
    window->bounds = (HfRect){replies->place->dst_x, replies->place->dst_y,
                              replies->geometry->width, replies->geometry->height};
    int border = replies->geometry->border_width;
    window->frame = (HfRect){window->bounds.x - border, window->bounds.y - border,
                             window->bounds.width + 2 * border, window->bounds.height + 2 * border};
    if (reader->ewmh->managed)
        window->frame = grow_by_extents(window->bounds, replies, FRAME, 1);
    HfRect seen = grow_by_extents(window->frame, replies, MARGIN, -1);
    if (!hf_rect_is_empty(seen))
        window->frame = seen;
}

static HfWindowKind read_window_kind(const Reader *reader, const Replies *replies)
{
    const guint32 *atoms = NULL;
    gsize count = values_of(replies, TYPE, &atoms);
    for (gsize i = 0; i < count; i++) /* in the order of the program's preference */
        for (gsize k = 0; k < G_N_ELEMENTS(types); k++)
            if (atoms[i] == hf_x11_atom(reader->connection, types[k].name))
                return types[k].kind;
    return get_property_value(replies, TRANSIENT, 0) ? HF_WINDOW_DIALOG : HF_WINDOW_NORMAL;
}

static void read_window_states(const Reader *reader, const Replies *replies, HfWindow *window)
{
    gboolean managed = reader->ewmh->managed;
    guint states = read_state_bits(reader, replies);
    guint maximized = 1u << MAXIMIZED_VERT | 1u << MAXIMIZED_HORZ;
    window->modal = (states & 1u << MODAL) != 0;
    window->above = managed && (states & 1u << ABOVE) != 0;
    window->fullscreen = managed && (states & 1u << FULLSCREEN) != 0;
    window->maximized = managed && (states & maximized) == maximized;
    window->minimized = reader->hidden_state
                            ? (states & (1u << HIDDEN | 1u << SHADED)) == 1u << HIDDEN
                            : managed && get_property_value(replies, OLD_STATE, 1) == 3;
    guint32 workspace = get_property_value(replies, WORKSPACE, G_MAXUINT32);
    window->workspace = managed && workspace <= G_MAXINT ? (int)workspace : -1;
    window->focused = window->id == reader->ewmh->active;
    window->visible = replies->attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
                      !window->minimized &&
                      (window->workspace < 0 || window->workspace == reader->ewmh->workspace);
}

/* Compares up to the first dot: some programs add their domain. */
static gboolean is_same_machine(const char *one, const char *other)
{
    gsize length = strcspn(one, ".");
    return length == strcspn(other, ".") && g_ascii_strncasecmp(one, other, length) == 0;
}

/* The pid that the program claims counts only if it also claims to run on this machine. */
static void read_claimed_process(const Reader *reader, const Replies *replies, HfWindow *window)
{
    g_autofree char *host = dup_property_line(reader->connection, replies->properties[MACHINE]);
    guint32 pid = get_property_value(replies, PID, 0);
    if (!host || !*host)
        return;
    if (g_str_equal(host, reader->host) && pid > 1 && pid <= G_MAXINT)
        window->pid = (int)pid;
    if (!is_same_machine(host, reader->host) && !g_str_equal(host, "localhost"))
        window->machine = g_steal_pointer(&host);
}

/* Without a window manager the root also has children that are not windows to a person: menus and
 * tooltips, input-only windows, and group leaders that are never shown. */
static gboolean is_user_window(const Reader *reader, const Replies *replies)
{
    if (!replies->attributes || !replies->geometry || !replies->place)
        return FALSE;
    if (reader->ewmh->managed)
        return TRUE;
    return replies->attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT &&
           replies->attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
           !replies->attributes->override_redirect;
}

static HfWindow *read_x11_window(const Reader *reader, xcb_window_t id, const Replies *replies)
{
    if (!is_user_window(reader, replies))
        return NULL;
    HfWindow *window = g_new0(HfWindow, 1);
    window->id = id;
    read_claimed_process(reader, replies, window);
    window->transient_for = get_property_value(replies, TRANSIENT, 0);
    if (window->transient_for == reader->connection->root)
        window->transient_for = 0; /* means: for its whole group */
    read_texts(reader, replies, window);
    read_window_place(reader, replies, window);
    window->kind = read_window_kind(reader, replies);
    read_window_states(reader, replies, window);
    return window;
}

static void preload_atoms(HfX11Connection *connection)
{
    const char *names[PROPERTIES + STATES + G_N_ELEMENTS(types) + 2] = {NULL};
    gsize count = 0;
    for (gsize i = 0; i < PROPERTIES; i++)
        names[count++] = properties[i].name;
    for (gsize i = 0; i < STATES; i++)
        names[count++] = state_names[i];
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
        names[count++] = types[i].name;
    names[count] = "COMPOUND_TEXT";
    hf_x11_preload_atoms(connection, names);
}

static WindowQueries *send_queries(HfX11Connection *connection, const guint32 *ids, gsize count)
{
    preload_atoms(connection);
    WindowQueries *queries = g_new(WindowQueries, 1);
    *queries = (WindowQueries){
        .connection = connection,
        .count = count,
        .ids = g_memdup2(ids, count * sizeof *ids),
        .pids = hf_x11_pids_send_query(connection, ids, count),
        .cookies = g_new(Cookies, count),
    };
    for (gsize i = 0; i < count; i++)
        queries->cookies[i] = send_window_queries(connection, ids[i]);
    return queries;
}

static Replies read_next_replies(WindowQueries *queries)
{
    xcb_connection_t *xcb = queries->connection->xcb;
    const Cookies *cookies = &queries->cookies[queries->next++];
    Replies replies = {
        .attributes = xcb_get_window_attributes_reply(xcb, cookies->attributes, NULL),
        .geometry = xcb_get_geometry_reply(xcb, cookies->geometry, NULL),
        .place = xcb_translate_coordinates_reply(xcb, cookies->place, NULL),
    };
    for (int i = 0; i < PROPERTIES; i++)
        replies.properties[i] = xcb_get_property_reply(xcb, cookies->properties[i], NULL);
    return replies;
}

static GHashTable *read_pid_replies(WindowQueries *queries)
{
    HfX11PidCookie cookie = queries->pids;
    queries->pids = (HfX11PidCookie){0};
    return hf_x11_pids_collect(queries->connection, cookie);
}

/* Discards the replies that were not read. */
static void window_queries_free(WindowQueries *queries)
{
    if (!queries)
        return;
    g_hash_table_unref(read_pid_replies(queries));
    while (queries->next < queries->count) {
        Replies replies = read_next_replies(queries);
        replies_clear(&replies);
    }
    g_free(queries->ids);
    g_free(queries->cookies);
    g_free(queries);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WindowQueries, window_queries_free)

/* The windows in the order of the queries, without those that are gone and those that no person
 * would call a window. Call it once. */
static GPtrArray *read_windows(WindowQueries *queries, const HfX11Ewmh *ewmh, GError **error)
{
    HfX11Connection *connection = queries->connection;
    Reader reader = {
        .connection = connection,
        .ewmh = ewmh,
        .hidden_state =
            ewmh->managed && hf_x11_ewmh_supports(connection, ewmh, "_NET_WM_STATE_HIDDEN"),
    };
    if (gethostname(reader.host, sizeof reader.host - 1) != 0)
        reader.host[0] = '\0';
    g_autoptr(GHashTable) pids = read_pid_replies(queries);
    g_autoptr(GPtrArray) windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    while (queries->next < queries->count) {
        guint32 id = queries->ids[queries->next];
        g_auto(Replies) replies = read_next_replies(queries);
        HfWindow *window = read_x11_window(&reader, id, &replies);
        if (!window)
            continue;
        int pid = hf_x11_pids_find(connection, pids, id);
        if (pid > 0)
            window->pid = pid;
        g_ptr_array_add(windows, window);
    }
    return hf_x11_check(connection, error) ? g_steal_pointer(&windows) : NULL;
}

static void reverse_ids(GArray *ids)
{
    for (guint i = 0; i < ids->len / 2; i++) {
        guint32 *low = &g_array_index(ids, guint32, i);
        guint32 *high = &g_array_index(ids, guint32, ids->len - 1 - i);
        guint32 kept = *low;
        *low = *high;
        *high = kept;
    }
}

static GArray *dup_last_clients(HfX11Connection *connection)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    return connection->clients ? g_array_copy(connection->clients)
                               : g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void set_last_clients(HfX11Connection *connection, GArray *clients)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    g_clear_pointer(&connection->clients, g_array_unref);
    connection->clients = g_array_copy(clients);
}

static gboolean are_ids_equal(const GArray *some, const GArray *others)
{
    return some->len == others->len &&
           (some->len == 0 || memcmp(some->data, others->data, some->len * sizeof(guint32)) == 0);
}

/* The windows are mostly those of the last time. So they are queried together with the list, which
 * saves a round trip. */
GPtrArray *hf_x11_windows_read_all(HfX11Connection *connection, HfX11Ewmh *ret_ewmh, GError **error)
{
    g_auto(HfX11Ewmh) ewmh = {0};
    g_autoptr(GArray) last = dup_last_clients(connection);
    HfX11EwmhCookies cookies = hf_x11_ewmh_send(connection);
    g_autoptr(WindowQueries) queries =
        send_queries(connection, (guint32 *)(gpointer)last->data, last->len);
    if (!hf_x11_ewmh_read(connection, &cookies, &ewmh, error))
        return NULL;
    reverse_ids(ewmh.clients);
    if (!are_ids_equal(last, ewmh.clients)) {
        window_queries_free(queries);
        queries =
            send_queries(connection, (guint32 *)(gpointer)ewmh.clients->data, ewmh.clients->len);
        set_last_clients(connection, ewmh.clients);
    }
    GPtrArray *windows = read_windows(queries, &ewmh, error);
    if (windows && ret_ewmh) {
        hf_x11_ewmh_clear(ret_ewmh);
        *ret_ewmh = ewmh;
        ewmh = (HfX11Ewmh){0};
    }
    return windows;
}

static GPtrArray *list_x11_windows(HfDesktop *desktop, double *ret_scale, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    xcb_get_property_cookie_t resources = {0};
    if (ret_scale)
        resources = hf_x11_scale_send_query(connection);
    GPtrArray *windows = hf_x11_windows_read_all(connection, NULL, error);
    double scale = ret_scale ? hf_x11_scale_read(desktop, connection, resources) : 0;
    if (ret_scale && windows)
        *ret_scale = scale;
    return windows;
}

static HfWindow *get_x11_window(HfDesktop *desktop, guint32 id, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    g_auto(HfX11Ewmh) ewmh = {0};
    HfX11EwmhCookies cookies = hf_x11_ewmh_send(connection);
    g_autoptr(WindowQueries) queries = send_queries(connection, &id, 1);
    if (!hf_x11_ewmh_read(connection, &cookies, &ewmh, error))
        return NULL;
    g_autoptr(GPtrArray) windows = read_windows(queries, &ewmh, error);
    if (!windows)
        return NULL;
    if (windows->len == 0 ||
        !hf_x11_contains((const guint32 *)(gpointer)ewmh.clients->data, ewmh.clients->len, id)) {
        hf_windows_fail_missing(id, error);
        return NULL;
    }
    return g_ptr_array_steal_index(windows, 0);
}

const HfWindowOps hf_x11_window_ops = {
    .list = list_x11_windows,
    .get = get_x11_window,
    .identify = hf_x11_window_identify,
    .popups = hf_x11_window_list_popups,
    .change = hf_x11_window_change,
    .await_paint = hf_x11_window_await_paint,
    .watch_new = hf_x11_window_watch_new,
    .watch_read = hf_x11_window_watch_read,
    .watch_time = hf_x11_window_watch_time,
    .watch_free = hf_x11_window_watch_free,
};
