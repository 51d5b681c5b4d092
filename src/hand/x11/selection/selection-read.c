/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a selection, in straight lines: ask, wait for the answer, take the property, and go on
 * piece by piece when it comes as INCR. Every wait is bounded; what arrives is bounded in size; a
 * value of the wrong shape is taken for "no such format". Never trusts an owner, and no event that
 * a program made up, except the one that owners have to send (SelectionNotify). */
#include "hand/x11/selection/selection-read.h"

#include <stdlib.h>
#include <xcb/xfixes.h>

#include "hand/desktop/desktop-limits.h"
#include "hand/x11/selection/retained-window.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

struct HfSelectionReader {
    HfX11Connection *names;
    HfX11Connection *own;
    xcb_atom_t selection, property, incr;
    HfRetainedWindow *retained;
    xcb_window_t window; /* for the clock */
    xcb_window_t owner;
    xcb_timestamp_t time;
    int changed_event; /* the number of XFixes' event; -1 without XFixes */
    gboolean changed;  /* another owner or content since the start */
    gboolean died;     /* the owner went away since the start */
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

HfSelectionReader *hf_selection_reader_new(HfX11Connection *names, const char *selection,
                                           const char *state_dir, GError **error)
{
    g_autoptr(HfX11Connection) own = hf_x11_connect(names->display, error);
    if (!own)
        return NULL;
    g_autoptr(HfSelectionReader) reader = g_new0(HfSelectionReader, 1);
    reader->names = names;
    reader->own = g_steal_pointer(&own);
    reader->selection = hf_x11_atom(names, selection);
    reader->property = hf_x11_atom(names, "HANDFAST_SELECTION");
    reader->incr = hf_x11_atom(names, "INCR");
    if (!hf_x11_check(names, error))
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

HfX11Connection *hf_selection_reader_get_names(const HfSelectionReader *reader)
{
    return reader->names;
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

/* The next event; NULL with an error when none comes in time or the server has gone. A flood of
 * events does not prolong the time. */
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
    /* Appending nothing to a property is the way to ask an X server for its time. */
    xcb_change_property(xcb, XCB_PROP_MODE_APPEND, reader->window, reader->property,
                        XCB_ATOM_STRING, 8, 0, NULL);
    xcb_get_selection_owner_cookie_t cookie = xcb_get_selection_owner(xcb, reader->selection);
    for (gboolean told = FALSE; !told;) {
        xcb_generic_event_t *event = next_event(reader, deadline, error);
        if (!event) {
            xcb_discard_reply(xcb, cookie.sequence);
            return FALSE;
        }
        const xcb_property_notify_event_t *clock = (gconstpointer)event;
        told = event->response_type == XCB_PROPERTY_NOTIFY && clock->window == reader->window;
        if (told)
            reader->time = clock->time;
        free(event);
    }
    reader->changed = reader->died = FALSE;
    xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(xcb, cookie, NULL);
    if (!reply)
        return hf_x11_check(reader->own, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the X server knows no selections");
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
    hf_selection_reader_has_changed(reader); /* what the server knows by now */
    return reader->died;
}

/* An answer to this question: property and window are ours alone, but an answer that came too late
 * for an earlier question, or that was made up, may be about something else. */
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

/* The next event within the step; when its time is over, those that the server had for us by then:
 * where the server itself is slow, the owner is not to blame. Nothing prolongs the deadline. */
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

/* Waits for an answer or a new value of the property, by `kind`. An owner that writes a large value
 * bit by bit before it answers is at work: each bit gives it time for the next. */
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
                       "the program that owned the selection ended before it answered");
    if (hf_error_code(problem) == HF_ERROR_DESKTOP_TIMEOUT && hf_deadline_check(deadline, NULL))
        return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT,
                       "the program that owns the selection (window 0x%x) does not answer",
                       reader->owner);
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

/* Reads the property and deletes it, which tells the owner that it was read. */
static xcb_get_property_reply_t *take_property(HfSelectionReader *reader, xcb_window_t window,
                                               GError **error)
{
    xcb_connection_t *xcb = reader->own->xcb;
    xcb_get_property_cookie_t cookie = xcb_get_property(
        xcb, 1, window, reader->property, XCB_ATOM_ANY, 0, HF_LIMIT_CLIPBOARD_BYTES / 4 + 1);
    xcb_get_property_reply_t *reply = xcb_get_property_reply(xcb, cookie, NULL);
    if (!reply && hf_x11_check(reader->own, error))
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the owner's answer could not be read");
    return reply;
}

static gboolean check_selection_size(guint64 bytes, GError **error)
{
    if (bytes <= HF_LIMIT_CLIPBOARD_BYTES)
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the selection's content is larger than %u MB",
                   HF_LIMIT_CLIPBOARD_BYTES / 1024 / 1024);
}

/* How large the reply's value is, with what did not fit into it. */
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
        /* No type: a notice of a value that was read together with an earlier one. */
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
        gboolean told = reply->format == 32 && xcb_get_property_value_length(reply) >= 4;
        *ret_value = (HfSelectionValue){.unit = 8};
        ok = (!told || check_selection_size(*announced, error)) &&
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
        return FALSE; /* the window stays until the end: a late answer must not hit a dead one */
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
    if (!hf_selection_fetch(reader, hf_x11_atom(reader->names, "TARGETS"), deadline, &value, error))
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
