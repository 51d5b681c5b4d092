/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a selection: requests a format, waits for the answer, takes the property, and goes on piece
 * by piece when it comes as INCR. Every wait and every size is bounded. A malformed value counts as
 * "no such format". Trusts no owner, and no event that a program sent, except SelectionNotify,
 * which owners must send.
 *
 * Saving leaves out formats without content (the list of formats, commands to the owner, handles
 * that end with it) and formats that the owner refuses. A format that is too slow or too large may
 * be missing only if the same content was saved in another format: text as UTF-8 instead of
 * Latin-1, a picture as PNG instead of TIFF. */
#include "hand/x11/selection/selection-read.h"

#include <stdlib.h>
#include <xcb/xfixes.h>

#include "hand/desktop/desktop-limits.h"
#include "hand/x11/selection/retained-window.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

struct HfSelectionReader {
    HfX11Connection *shared; /* for atoms */
    HfX11Connection *own;
    xcb_atom_t selection, property, incr;
    HfRetainedWindow *retained;
    xcb_window_t window; /* to query the server's time */
    xcb_window_t owner;
    xcb_timestamp_t time;
    int changed_event; /* the event number of XFixes; -1 without XFixes */
    gboolean changed;  /* there is another owner or content since the start */
    gboolean died;     /* the owner is gone since the start */
};

void hf_selection_value_clear(HfSelectionValue *value)
{
    g_clear_pointer(&value->bytes, g_bytes_unref);
}

static xcb_window_t create_window(HfSelectionReader *reader)
{
    xcb_connection_t *xcb = reader->own->xcb;
    xcb_window_t window = xcb_generate_id(xcb);
    guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(xcb, 0, window, reader->own->root, -1, -1, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
    return window;
}

static void watch_changes(HfSelectionReader *reader)
{
    xcb_connection_t *xcb = reader->own->xcb;
    const xcb_query_extension_reply_t *xfixes = hf_x11_extension(reader->own, &xcb_xfixes_id);
    reader->changed_event = -1;
    if (!xfixes)
        return;
    free(xcb_xfixes_query_version_reply(xcb, xcb_xfixes_query_version(xcb, 5, 0), NULL));
    xcb_xfixes_select_selection_input(xcb, reader->window, reader->selection,
                                      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                                          XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                                          XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE);
    reader->changed_event = xfixes->first_event + XCB_XFIXES_SELECTION_NOTIFY;
}

HfSelectionReader *hf_selection_reader_new(HfX11Connection *shared, const char *selection,
                                           const char *state_dir, GError **error)
{
    g_autoptr(HfX11Connection) own = hf_x11_connect(shared->display, error);
    if (!own)
        return NULL;
    g_autoptr(HfSelectionReader) reader = g_new0(HfSelectionReader, 1);
    reader->shared = shared;
    reader->own = g_steal_pointer(&own);
    reader->selection = hf_x11_atom(shared, selection);
    reader->property = hf_x11_atom(shared, "HANDFAST_SELECTION");
    reader->incr = hf_x11_atom(shared, "INCR");
    if (!hf_x11_check(shared, error))
        return NULL;
    reader->window = create_window(reader);
    reader->retained = hf_retained_window_new(reader->own, reader->window, state_dir);
    watch_changes(reader);
    return g_steal_pointer(&reader);
}

void hf_selection_reader_free(HfSelectionReader *reader)
{
    if (!reader)
        return;
    hf_retained_window_free(reader->retained);
    hf_x11_disconnect(reader->own);
    g_free(reader);
}

HfX11Connection *hf_selection_reader_get_shared(const HfSelectionReader *reader)
{
    return reader->shared;
}

xcb_timestamp_t hf_selection_reader_get_time(const HfSelectionReader *reader)
{
    return reader->time;
}

xcb_window_t hf_selection_reader_get_owner(const HfSelectionReader *reader)
{
    return reader->owner;
}

static void note_change(HfSelectionReader *reader, const xcb_generic_event_t *event)
{
    if (event->response_type != reader->changed_event)
        return;
    const xcb_xfixes_selection_notify_event_t *change = (gconstpointer)event;
    reader->changed = TRUE;
    if (change->subtype != XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER)
        reader->died = TRUE;
}

/* The next event. A flood of events does not extend the deadline. */
static xcb_generic_event_t *next_event(HfSelectionReader *reader, const HfDeadline *deadline,
                                       GError **error)
{
    xcb_connection_t *xcb = reader->own->xcb;
    xcb_flush(xcb);
    while (hf_deadline_check(deadline, error)) {
        xcb_generic_event_t *event = xcb_poll_for_event(xcb);
        if (event) {
            note_change(reader, event);
            return event;
        }
        if (!hf_x11_check(reader->own, error))
            return NULL;
        if (!hf_deadline_wait_readable(deadline, xcb_get_file_descriptor(xcb), error))
            return NULL;
    }
    return NULL;
}

gboolean hf_selection_reader_start(HfSelectionReader *reader, const HfDeadline *deadline,
                                   GError **error)
{
    xcb_connection_t *xcb = reader->own->xcb;
    reader->changed = reader->died = FALSE;
    /* Appending nothing to a property makes the X server report its time. */
    xcb_change_property(xcb, XCB_PROP_MODE_APPEND, reader->window, reader->property,
                        XCB_ATOM_STRING, 8, 0, NULL);
    xcb_get_selection_owner_cookie_t cookie = xcb_get_selection_owner(xcb, reader->selection);
    for (gboolean done = FALSE; !done;) {
        xcb_generic_event_t *event = next_event(reader, deadline, error);
        if (!event) {
            xcb_discard_reply(xcb, cookie.sequence);
            return FALSE;
        }
        const xcb_property_notify_event_t *clock = (gconstpointer)event;
        done = event->response_type == XCB_PROPERTY_NOTIFY && clock->window == reader->window;
        if (done)
            reader->time = clock->time;
        free(event);
    }
    reader->changed = reader->died = FALSE;
    xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(xcb, cookie, NULL);
    if (!reply)
        return hf_x11_check(reader->own, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                       "the X server does not report the owner of the selection");
    reader->owner = reply->owner;
    free(reply);
    return TRUE;
}

gboolean hf_selection_reader_has_changed(HfSelectionReader *reader)
{
    xcb_generic_event_t *event;
    hf_x11_sync(reader->own, NULL);
    while ((event = xcb_poll_for_queued_event(reader->own->xcb))) {
        note_change(reader, event);
        free(event);
    }
    return reader->changed;
}

gboolean hf_selection_reader_wait_ownerless(HfSelectionReader *reader, const HfDeadline *deadline)
{
    while (!reader->died) {
        xcb_generic_event_t *event = next_event(reader, deadline, NULL);
        if (!event)
            break;
        free(event);
    }
    hf_selection_reader_has_changed(reader); /* handles what the server has sent by now */
    return reader->died;
}

/* Whether the event answers the current request. Each request has its own window, so a late answer
 * to an earlier one has another. */
static gboolean is_answer(const HfSelectionReader *reader, const xcb_generic_event_t *event,
                          xcb_window_t window)
{
    const xcb_selection_notify_event_t *answer = (gconstpointer)event;
    return (event->response_type & 0x7f) == XCB_SELECTION_NOTIFY && answer->requestor == window &&
           answer->selection == reader->selection;
}

static gboolean is_new_value(const HfSelectionReader *reader, const xcb_generic_event_t *event,
                             xcb_window_t window)
{
    const xcb_property_notify_event_t *piece = (gconstpointer)event;
    return event->response_type == XCB_PROPERTY_NOTIFY && piece->window == window &&
           piece->atom == reader->property && piece->state == XCB_PROPERTY_NEW_VALUE;
}

/* The next event within the step. After that, only events that the server already had for us: the
 * owner is not to blame for a slow server. Nothing extends the deadline. */
static xcb_generic_event_t *next_in_step(HfSelectionReader *reader, const HfDeadline *step,
                                         const HfDeadline *deadline, gboolean *late,
                                         GError **problem)
{
    xcb_generic_event_t *event = *late ? NULL : next_event(reader, step, problem);
    if (event)
        return event;
    if (!*late && (hf_error_code(*problem) != HF_ERROR_DESKTOP_TIMEOUT ||
                   hf_deadline_passed(deadline) || !hf_x11_sync(reader->own, NULL)))
        return NULL;
    *late = TRUE;
    event = xcb_poll_for_queued_event(reader->own->xcb);
    if (event)
        note_change(reader, event);
    return event;
}

/* Waits for an answer or for a new value of the property, depending on `kind`. An owner may write a
 * large value bit by bit before it answers; each bit extends the step. */
static gboolean wait_for_selection_event(HfSelectionReader *reader, int kind, xcb_window_t window,
                                         const HfDeadline *deadline, xcb_atom_t *ret_property,
                                         GError **error)
{
    HfDeadline step = hf_deadline_within_ms(deadline, HF_LIMIT_CLIPBOARD_ANSWER_MS);
    g_autoptr(GError) problem = NULL;
    gboolean late = FALSE;
    xcb_generic_event_t *event;
    while (!reader->died && (event = next_in_step(reader, &step, deadline, &late, &problem))) {
        gboolean written = is_new_value(reader, event, window);
        gboolean ours = kind == XCB_SELECTION_NOTIFY ? is_answer(reader, event, window) : written;
        if (ours && ret_property)
            *ret_property = ((const xcb_selection_notify_event_t *)event)->property;
        free(event);
        if (ours)
            return TRUE;
        if (written) {
            step = hf_deadline_within_ms(deadline, HF_LIMIT_CLIPBOARD_ANSWER_MS);
            g_clear_error(&problem);
            late = FALSE;
        }
    }
    if (reader->died)
        return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT,
                       "the program that owned the selection ended before it answered; try again");
    if (hf_error_code(problem) == HF_ERROR_DESKTOP_TIMEOUT && hf_deadline_check(deadline, NULL))
        return hf_fail(
            error, HF_ERROR_DESKTOP_TIMEOUT,
            "the program that owns the selection (window 0x%x) does not answer; try again "
            "when it responds",
            reader->owner);
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

/* Reads and deletes the property; the deletion tells the owner that it was read. */
static xcb_get_property_reply_t *take_property(HfSelectionReader *reader, xcb_window_t window,
                                               GError **error)
{
    xcb_connection_t *xcb = reader->own->xcb;
    xcb_get_property_cookie_t cookie = xcb_get_property(
        xcb, 1, window, reader->property, XCB_ATOM_ANY, 0, HF_LIMIT_CLIPBOARD_BYTES / 4 + 1);
    xcb_get_property_reply_t *reply = xcb_get_property_reply(xcb, cookie, NULL);
    if (!reply && hf_x11_check(reader->own, error))
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT,
                "the answer of the selection's owner could not be read; try again");
    return reply;
}

static gboolean check_selection_size(guint64 bytes, GError **error)
{
    if (bytes <= HF_LIMIT_CLIPBOARD_BYTES)
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the selection's content is larger than %u MB",
                   HF_LIMIT_CLIPBOARD_BYTES / 1024 / 1024);
}

/* The size of the whole value, with what did not fit into the reply. */
static guint64 value_size(const xcb_get_property_reply_t *reply)
{
    return (guint64)xcb_get_property_value_length(reply) + reply->bytes_after;
}

static gboolean collect_pieces(HfSelectionReader *reader, xcb_window_t window,
                               const HfDeadline *deadline, HfSelectionValue *ret_value,
                               GError **error)
{
    g_autoptr(GByteArray) all = g_byte_array_new();
    for (;;) {
        if (!wait_for_selection_event(reader, XCB_PROPERTY_NOTIFY, window, deadline, NULL, error))
            return FALSE;
        xcb_get_property_reply_t *reply = take_property(reader, window, error);
        if (!reply)
            return FALSE;
        guint64 size = value_size(reply);
        /* No type: the value of this event was read together with an earlier one. */
        gboolean absent = reply->type == XCB_ATOM_NONE;
        gboolean fits = check_selection_size(all->len + size, error);
        if (fits && size > 0 && all->len == 0) {
            ret_value->type = reply->type;
            ret_value->unit = reply->format;
        }
        if (fits)
            g_byte_array_append(all, xcb_get_property_value(reply), (guint)size);
        free(reply);
        if (!fits)
            return FALSE;
        if (size == 0 && !absent)
            break;
    }
    ret_value->bytes = g_byte_array_free_to_bytes(g_steal_pointer(&all));
    return TRUE;
}

static gboolean take_selection_value(HfSelectionReader *reader, xcb_window_t window,
                                     const HfDeadline *deadline, HfSelectionValue *ret_value,
                                     GError **error)
{
    xcb_get_property_reply_t *reply = take_property(reader, window, error);
    if (!reply)
        return FALSE;
    gboolean ok = TRUE;
    const guint32 *announced = xcb_get_property_value(reply);
    ret_value->type = reply->type;
    ret_value->unit = reply->format ? reply->format : 8;
    if (reply->type == reader->incr) {
        gboolean has_size = reply->format == 32 && xcb_get_property_value_length(reply) >= 4;
        *ret_value = (HfSelectionValue){.unit = 8};
        ok = (!has_size || check_selection_size(*announced, error)) &&
             collect_pieces(reader, window, deadline, ret_value, error);
    } else if (reply->type != XCB_ATOM_NONE) {
        ok = check_selection_size(value_size(reply), error);
        if (ok)
            ret_value->bytes = g_bytes_new(xcb_get_property_value(reply),
                                           (gsize)xcb_get_property_value_length(reply));
    }
    free(reply);
    return ok;
}

gboolean hf_selection_fetch_with(HfSelectionReader *reader, xcb_atom_t target,
                                 const xcb_atom_t *argument, guint count,
                                 const HfDeadline *deadline, HfSelectionValue *ret_value,
                                 GError **error)
{
    xcb_connection_t *xcb = reader->own->xcb;
    xcb_window_t window = create_window(reader);
    xcb_atom_t property = XCB_ATOM_NONE;
    *ret_value = (HfSelectionValue){0};
    if (count > 0)
        xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, window, reader->property, XCB_ATOM_ATOM, 32,
                            count, argument);
    xcb_convert_selection(xcb, window, reader->selection, target, reader->property, reader->time);
    if (!wait_for_selection_event(reader, XCB_SELECTION_NOTIFY, window, deadline, &property, error))
        return FALSE; /* keeps the window: a late answer must not hit a destroyed one */
    gboolean ok = property != reader->property ||
                  take_selection_value(reader, window, deadline, ret_value, error);
    xcb_destroy_window(xcb, window);
    return ok;
}

gboolean hf_selection_fetch(HfSelectionReader *reader, xcb_atom_t target,
                            const HfDeadline *deadline, HfSelectionValue *ret_value, GError **error)
{
    return hf_selection_fetch_with(reader, target, NULL, 0, deadline, ret_value, error);
}

GArray *hf_selection_fetch_targets(HfSelectionReader *reader, const HfDeadline *deadline,
                                   GError **error)
{
    g_auto(HfSelectionValue) value = {0};
    if (!hf_selection_fetch(reader, hf_x11_atom(reader->shared, "TARGETS"), deadline, &value,
                            error))
        return NULL;
    gsize bytes = 0;
    const xcb_atom_t *atoms =
        value.bytes && value.unit == 32 ? g_bytes_get_data(value.bytes, &bytes) : NULL;
    if (bytes / 4 > HF_LIMIT_CLIPBOARD_FORMATS) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the selection's owner offers more than %u formats",
                HF_LIMIT_CLIPBOARD_FORMATS);
        return NULL;
    }
    GArray *targets = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
    if (bytes >= 4)
        g_array_append_vals(targets, atoms, (guint)(bytes / 4));
    return targets;
}

GPtrArray *hf_selection_dup_names(HfSelectionReader *reader, const GArray *atoms)
{
    xcb_connection_t *xcb = reader->own->xcb;
    g_autofree xcb_get_atom_name_cookie_t *cookies =
        g_new(xcb_get_atom_name_cookie_t, MAX(atoms->len, 1));
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < atoms->len; i++)
        cookies[i] = xcb_get_atom_name(xcb, g_array_index(atoms, xcb_atom_t, i));
    for (guint i = 0; i < atoms->len; i++) {
        xcb_get_atom_name_reply_t *reply = xcb_get_atom_name_reply(xcb, cookies[i], NULL);
        g_ptr_array_add(names, reply ? g_strndup(xcb_get_atom_name_name(reply),
                                                 (gsize)xcb_get_atom_name_name_length(reply))
                                     : NULL);
        free(reply);
    }
    return names;
}

typedef struct Save {
    HfSelectionReader *reader;
    GArray *atoms;
    GPtrArray *names;
    HfSelectionValue *values; /* one for each atom */
    GHashTable *kinds;        /* saved so far */
    gsize bytes;
    HfDeadline budget;
} Save;

static gboolean is_content_target(const char *target)
{
    static const char *const others[] = {
        "TARGETS",
        "MULTIPLE",
        "TIMESTAMP",
        "SAVE_TARGETS",
        "DELETE",
        "INCR",
        "INSERT_PROPERTY",
        "INSERT_SELECTION",
        "PIXMAP",
        "BITMAP",
        "DRAWABLE",
        "COLORMAP",
        "FOREGROUND",
        "BACKGROUND",
        "WINDOW",
        "CLIENT_WINDOW",
        "PROCESS",
        "TASK",
        NULL,
    };
    return target && g_utf8_validate(target, -1, NULL) && !g_strv_contains(others, target);
}

/* Formats of the same kind can replace each other. */
static const char *target_kind(const char *target)
{
    static const char *const texts[] = {"UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", NULL};
    if (g_strv_contains(texts, target) || g_str_has_prefix(target, "text/plain"))
        return "text";
    return g_str_has_prefix(target, "image/") ? "image" : target;
}

/* Text and others first, then the best format of a picture. Its other formats come last: programs
 * convert to them on demand, which may take long. */
static int rank_target(const char *target)
{
    if (g_str_equal(target, "image/png"))
        return 1;
    return g_str_has_prefix(target, "image/") ? 2 : 0;
}

static gboolean take_format(Save *save, guint index, GError **error)
{
    const char *name = save->names->pdata[index];
    g_autoptr(GError) problem = NULL;
    HfSelectionValue value = {0};
    gboolean ok = hf_selection_fetch(save->reader, g_array_index(save->atoms, xcb_atom_t, index),
                                     &save->budget, &value, &problem);
    gsize size = value.bytes ? g_bytes_get_size(value.bytes) : 0;
    if (ok && save->bytes + size > HF_LIMIT_CLIPBOARD_SAVE_BYTES)
        ok =
            hf_fail(&problem, HF_ERROR_LIMIT_EXCEEDED, "the formats together are larger than %u MB",
                    HF_LIMIT_CLIPBOARD_SAVE_BYTES / 1024 / 1024);
    if (!ok) {
        hf_selection_value_clear(&value);
        HfErrorCode code = hf_error_code(problem);
        gboolean passable = code == HF_ERROR_DESKTOP_TIMEOUT || code == HF_ERROR_LIMIT_EXCEEDED;
        if (passable && g_hash_table_contains(save->kinds, target_kind(name)))
            return TRUE;
        if (!passable) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        return hf_fail(
            error, HF_ERROR_PRECONDITION_FAILED,
            "the clipboard was left as it is, because its format '%s' cannot be saved: %s", name,
            problem->message);
    }
    if (value.bytes)
        g_hash_table_add(save->kinds, g_strdup(target_kind(name)));
    save->bytes += size;
    save->values[index] = value;
    return TRUE;
}

static gboolean take_formats(Save *save, const HfDeadline *deadline, GError **error)
{
    for (int rank = 0; rank <= 2; rank++) {
        for (guint i = 0; i < save->atoms->len; i++) {
            const char *name = save->names->pdata[i];
            if (!is_content_target(name) || rank_target(name) != rank)
                continue;
            if (hf_deadline_passed(&save->budget) &&
                g_hash_table_contains(save->kinds, target_kind(name)))
                continue;
            if (!take_format(save, i, error) || !hf_deadline_check(deadline, error))
                return FALSE;
        }
    }
    return TRUE;
}

/* Keeps the owner's order of formats. */
static HfClipboardData *collect_saved_formats(Save *save)
{
    HfClipboardData *data = hf_clipboard_data_new();
    g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
    for (guint i = 0; i < save->atoms->len; i++)
        g_array_append_val(types, save->values[i].type);
    g_autoptr(GPtrArray) type_names = hf_selection_dup_names(save->reader, types);
    for (guint i = 0; i < save->atoms->len; i++) {
        const char *type = type_names->pdata[i];
        HfSelectionValue *value = &save->values[i];
        if (value->bytes && type && g_utf8_validate(type, -1, NULL))
            hf_clipboard_data_add(data, save->names->pdata[i], type, value->unit,
                                  g_steal_pointer(&value->bytes));
    }
    return data;
}

static GArray *fetch_targets(HfSelectionReader *reader, const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) problem = NULL;
    GArray *atoms = hf_selection_fetch_targets(reader, deadline, &problem);
    if (atoms)
        return atoms;
    if (hf_error_code(problem) == HF_ERROR_DESKTOP_TIMEOUT && hf_deadline_check(deadline, NULL))
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "the clipboard was left as it is, because its content cannot be saved: %s",
                problem->message);
    else
        g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
}

gboolean hf_selection_save(HfSelectionReader *reader, const HfDeadline *deadline,
                           HfClipboardData **ret_data, GError **error)
{
    if (!hf_selection_reader_get_owner(reader)) {
        *ret_data = hf_clipboard_data_new();
        return TRUE;
    }
    g_autoptr(GArray) atoms = fetch_targets(reader, deadline, error);
    if (!atoms)
        return FALSE;
    if (atoms->len == 0) { /* old programs do not list their formats */
        HfX11Connection *shared = hf_selection_reader_get_shared(reader);
        xcb_atom_t usual[] = {hf_x11_atom(shared, "UTF8_STRING"), hf_x11_atom(shared, "STRING")};
        g_array_append_vals(atoms, usual, G_N_ELEMENTS(usual));
    }
    g_autoptr(GPtrArray) names = hf_selection_dup_names(reader, atoms);
    g_autoptr(GHashTable) kinds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree HfSelectionValue *values = g_new0(HfSelectionValue, atoms->len);
    Save save = {.reader = reader,
                 .atoms = atoms,
                 .names = names,
                 .values = values,
                 .kinds = kinds,
                 .budget = hf_deadline_within_ms(deadline, HF_LIMIT_CLIPBOARD_SAVE_MS)};
    gboolean ok = take_formats(&save, deadline, error);
    if (ok)
        *ret_data = collect_saved_formats(&save);
    for (guint i = 0; i < atoms->len; i++)
        hf_selection_value_clear(&values[i]);
    return ok;
}
