/* SPDX-License-Identifier: Apache-2.0 */
/* From properties to windows. Every value was written by some program and may be anything: sizes
 * and formats are checked, text is made valid, and states that only a window manager may set are
 * believed only while one lives. */
#include "hand/x11/windows/window-read.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hand/x11/windows/window-pid.h"
#include "shared/base/limits.h"

/* Wider decoration or margins are not real. */
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
    gboolean hidden_state; /* the window manager says with a state what is minimised */
    char host[256];
} Reader;

static void replies_clear(Replies *replies)
{
    free(replies->attributes);
    free(replies->geometry);
    free(replies->place);
    for (int i = 0; i < PROPERTIES; i++)
        free(replies->properties[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Replies, replies_clear)

/* Attributes first and geometry last: what was mapped at the beginning and is there at the end
 * had all of its properties in between. */
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

static Replies collect_window_replies(HfX11Connection *connection, const Cookies *cookies)
{
    xcb_connection_t *xcb = connection->xcb;
    Replies replies = {
        .attributes = xcb_get_window_attributes_reply(xcb, cookies->attributes, NULL),
        .geometry = xcb_get_geometry_reply(xcb, cookies->geometry, NULL),
        .place = xcb_translate_coordinates_reply(xcb, cookies->place, NULL),
    };
    for (int i = 0; i < PROPERTIES; i++)
        replies.properties[i] = xcb_get_property_reply(xcb, cookies->properties[i], NULL);
    return replies;
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

static gboolean has_atom(const Reader *reader, const Replies *replies, int property,
                         const char *name)
{
    const guint32 *values = NULL;
    gsize count = values_of(replies, property, &values);
    xcb_atom_t atom = hf_x11_atom(reader->connection, name);
    for (gsize i = 0; i < count; i++)
        if (values[i] == atom)
            return TRUE;
    return FALSE;
}

static char *dup_property_line(const Reader *reader, const xcb_get_property_reply_t *reply)
{
    if (!reply || reply->format != 8 || xcb_get_property_value_length(reply) == 0)
        return NULL;
    return hf_x11_text_decode_line(
        hf_x11_encoding(reader->connection, reply->type), xcb_get_property_value(reply),
        (gsize)xcb_get_property_value_length(reply), reply->bytes_after > 0);
}

static void read_texts(const Reader *reader, const Replies *replies, HfWindow *window)
{
    window->title = dup_property_line(reader, replies->properties[NAME]);
    if (!window->title)
        window->title = dup_property_line(reader, replies->properties[OLD_NAME]);
    if (!window->title)
        window->title = g_strdup("");
    window->startup_id = dup_property_line(reader, replies->properties[STARTUP]);
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
    static const struct {
        const char *atom;
        HfWindowKind kind;
    } kinds[] = {
        {"_NET_WM_WINDOW_TYPE_NORMAL", HF_WINDOW_NORMAL},
        {"_NET_WM_WINDOW_TYPE_DIALOG", HF_WINDOW_DIALOG},
        {"_NET_WM_WINDOW_TYPE_UTILITY", HF_WINDOW_UTILITY},
        {"_NET_WM_WINDOW_TYPE_TOOLBAR", HF_WINDOW_UTILITY},
        {"_NET_WM_WINDOW_TYPE_MENU", HF_WINDOW_UTILITY},
        {"_NET_WM_WINDOW_TYPE_SPLASH", HF_WINDOW_SPLASH},
        {"_NET_WM_WINDOW_TYPE_DOCK", HF_WINDOW_DOCK},
        {"_NET_WM_WINDOW_TYPE_DESKTOP", HF_WINDOW_DESKTOP},
    };
    const guint32 *types = NULL;
    gsize count = values_of(replies, TYPE, &types);
    for (gsize i = 0; i < count; i++) /* in the order of the program's preference */
        for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++)
            if (types[i] == hf_x11_atom(reader->connection, kinds[k].atom))
                return kinds[k].kind;
    return get_property_value(replies, TRANSIENT, 0) ? HF_WINDOW_DIALOG : HF_WINDOW_NORMAL;
}

static void read_window_states(const Reader *reader, const Replies *replies, HfWindow *window)
{
    gboolean managed = reader->ewmh->managed;
    window->modal = has_atom(reader, replies, STATE, "_NET_WM_STATE_MODAL");
    window->above = managed && has_atom(reader, replies, STATE, "_NET_WM_STATE_ABOVE");
    window->fullscreen = managed && has_atom(reader, replies, STATE, "_NET_WM_STATE_FULLSCREEN");
    window->maximized = managed &&
                        has_atom(reader, replies, STATE, "_NET_WM_STATE_MAXIMIZED_VERT") &&
                        has_atom(reader, replies, STATE, "_NET_WM_STATE_MAXIMIZED_HORZ");
    if (reader->hidden_state)
        window->minimized = has_atom(reader, replies, STATE, "_NET_WM_STATE_HIDDEN") &&
                            !has_atom(reader, replies, STATE, "_NET_WM_STATE_SHADED");
    else
        window->minimized = managed && get_property_value(replies, OLD_STATE, 1) == 3;
    guint32 workspace = get_property_value(replies, WORKSPACE, G_MAXUINT32);
    window->workspace = managed && workspace <= G_MAXINT ? (int)workspace : -1;
    window->focused = window->id == reader->ewmh->active;
    window->visible = replies->attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
                      !window->minimized &&
                      (window->workspace < 0 || window->workspace == reader->ewmh->workspace);
}

/* The process's own word, believed only if it says that it runs on this machine. */
static int claimed_pid(const Reader *reader, const Replies *replies)
{
    const xcb_get_property_reply_t *machine = replies->properties[MACHINE];
    g_autofree char *host = dup_property_line(reader, machine);
    guint32 pid = get_property_value(replies, PID, 0);
    return host && g_str_equal(host, reader->host) && pid > 1 && pid <= G_MAXINT ? (int)pid : 0;
}

/* The name up to its first dot: some programs tell their domain, too. */
static gboolean is_same_machine(const char *one, const char *other)
{
    gsize length = strcspn(one, ".");
    return length == strcspn(other, ".") && g_ascii_strncasecmp(one, other, length) == 0;
}

static char *dup_other_machine(const Reader *reader, const Replies *replies)
{
    g_autofree char *host = dup_property_line(reader, replies->properties[MACHINE]);
    gboolean here =
        !host || !*host || is_same_machine(host, reader->host) || g_str_equal(host, "localhost");
    return here ? NULL : g_steal_pointer(&host);
}

/* Without a window manager the root's children are of all kinds: menus and tooltips that manage
 * themselves, windows that only take input, and leaders that are never shown. */
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
    window->pid = claimed_pid(reader, replies);
    window->machine = dup_other_machine(reader, replies);
    window->transient_for = get_property_value(replies, TRANSIENT, 0);
    if (window->transient_for == reader->connection->root)
        window->transient_for = 0; /* said of its whole group */
    read_texts(reader, replies, window);
    read_window_place(reader, replies, window);
    window->kind = read_window_kind(reader, replies);
    read_window_states(reader, replies, window);
    return window;
}

/* What is compared with values, beside the names of the properties themselves. */
static const char *const values_known[] = {
    "COMPOUND_TEXT",
    "_NET_WM_STATE_MODAL",
    "_NET_WM_STATE_ABOVE",
    "_NET_WM_STATE_FULLSCREEN",
    "_NET_WM_STATE_MAXIMIZED_VERT",
    "_NET_WM_STATE_MAXIMIZED_HORZ",
    "_NET_WM_STATE_HIDDEN",
    "_NET_WM_STATE_SHADED",
    "_NET_WM_WINDOW_TYPE_NORMAL",
    "_NET_WM_WINDOW_TYPE_DIALOG",
    "_NET_WM_WINDOW_TYPE_UTILITY",
    "_NET_WM_WINDOW_TYPE_TOOLBAR",
    "_NET_WM_WINDOW_TYPE_MENU",
    "_NET_WM_WINDOW_TYPE_SPLASH",
    "_NET_WM_WINDOW_TYPE_DOCK",
    "_NET_WM_WINDOW_TYPE_DESKTOP",
};

static void preload_atoms(HfX11Connection *connection)
{
    const char *names[PROPERTIES + G_N_ELEMENTS(values_known) + 1] = {NULL};
    for (gsize i = 0; i < PROPERTIES; i++)
        names[i] = properties[i].name;
    memcpy(names + PROPERTIES, values_known, sizeof values_known);
    hf_x11_preload_atoms(connection, names);
}

struct HfX11WindowQueries {
    HfX11Connection *connection;
    gsize count, heard; /* how many there are, and how many of their answers were read */
    guint32 *ids;
    HfX11PidCookie pids;
    Cookies *cookies;
};

HfX11WindowQueries *hf_x11_windows_send_queries(HfX11Connection *connection, const guint32 *ids,
                                                gsize count)
{
    preload_atoms(connection);
    HfX11WindowQueries *questions = g_new0(HfX11WindowQueries, 1);
    *questions = (HfX11WindowQueries){connection,
                                      count,
                                      0,
                                      g_memdup2(ids, count * sizeof *ids),
                                      hf_x11_pids_send_query(connection, ids, count),
                                      g_new(Cookies, count)};
    for (gsize i = 0; i < count; i++)
        questions->cookies[i] = send_window_queries(connection, ids[i]);
    return questions;
}

static Replies read_next_replies(HfX11WindowQueries *questions)
{
    return collect_window_replies(questions->connection, &questions->cookies[questions->heard++]);
}

static GHashTable *read_pid_replies(HfX11WindowQueries *questions)
{
    HfX11PidCookie cookie = questions->pids;
    questions->pids = (HfX11PidCookie){0};
    return hf_x11_pids_collect(questions->connection, cookie);
}

void hf_x11_window_queries_free(HfX11WindowQueries *questions)
{
    if (!questions)
        return;
    g_hash_table_unref(read_pid_replies(questions));
    while (questions->heard < questions->count) {
        Replies replies = read_next_replies(questions);
        replies_clear(&replies);
    }
    g_free(questions->ids);
    g_free(questions->cookies);
    g_free(questions);
}

static void reader_init(Reader *reader, HfX11Connection *connection, const HfX11Ewmh *ewmh)
{
    *reader = (Reader){.connection = connection, .ewmh = ewmh};
    reader->hidden_state =
        ewmh->managed && hf_x11_ewmh_supports(connection, ewmh, "_NET_WM_STATE_HIDDEN");
    if (gethostname(reader->host, sizeof reader->host - 1) != 0)
        reader->host[0] = '\0';
}

GPtrArray *hf_x11_windows_read_replies(HfX11WindowQueries *questions, const HfX11Ewmh *ewmh,
                                       GError **error)
{
    HfX11Connection *connection = questions->connection;
    Reader reader;
    reader_init(&reader, connection, ewmh);
    g_autoptr(GHashTable) pids = read_pid_replies(questions);
    g_autoptr(GPtrArray) windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    while (questions->heard < questions->count) {
        guint32 id = questions->ids[questions->heard];
        g_auto(Replies) replies = read_next_replies(questions);
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
