/* SPDX-License-Identifier: Apache-2.0 */
/* Only reads; must not change anything. */
#include "hand/main/preconditions.h"

#include "hand/desktop/clipboard.h"
#include "hand/desktop/windows.h"
#include "hand/files/change/file-operations.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"

/* Of its text or one of its formats; NULL if that cannot be read. */
static char *dup_clipboard_hash(HfDesktop *desktop, const json_t *wanted,
                                const HfDeadline *deadline, GError **error)
{
    const char *format[] = {hf_json_string(wanted, "format", NULL), NULL};
    HfSelection selection = g_str_equal(hf_json_string(wanted, "selection", ""), "primary")
                                ? HF_SELECTION_PRIMARY
                                : HF_SELECTION_CLIPBOARD;
    if (format[0]) {
        g_autoptr(HfClipboardPart) part =
            hf_clipboard_fetch(desktop, selection, format, deadline, error);
        return part ? g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, part->bytes) : NULL;
    }
    g_autoptr(HfClipboardText) content = hf_clipboard_read(desktop, selection, deadline, error);
    return content ? g_compute_checksum_for_string(G_CHECKSUM_SHA256,
                                                   content->text ? content->text : "", -1)
                   : NULL;
}

static gboolean check_clipboard(HfDesktop *desktop, const json_t *wanted,
                                const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autofree char *hash = dup_clipboard_hash(desktop, wanted, deadline, &problem);
    if (!hash && hf_error_code(problem) != HF_ERROR_PRECONDITION_FAILED) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    return g_strcmp0(hash, hf_json_string(wanted, "sha256", "")) == 0 ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "the content of the clipboard has changed since");
}

static gboolean check_focused(HfDesktop *desktop, json_int_t wanted, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
    if (!windows)
        return FALSE;
    const HfWindow *focused = hf_windows_find_focused(windows);
    return (focused && focused->id == wanted) ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "the focus has moved to another window since: %s",
                   focused ? focused->title : "none");
}

static gboolean same_bounds(const json_t *wanted, HfRect bounds)
{
    g_autoptr(json_t) now = hf_json_rect(bounds);
    return !wanted || json_equal(now, wanted);
}

gboolean hf_precondition_fits_window(const json_t *wanted, const HfWindow *window)
{
    return hf_json_bool(wanted, "maximized", window->maximized) == window->maximized &&
           hf_json_bool(wanted, "minimized", window->minimized) == window->minimized &&
           (window->minimized || same_bounds(json_object_get(wanted, "bounds"), window->bounds));
}

static gboolean check_expected_window(HfDesktop *desktop, const json_t *wanted, GError **error)
{
    guint32 id = (guint32)hf_json_int(wanted, "window_id", 0);
    g_autoptr(GError) gone = NULL;
    g_autoptr(HfWindow) window = hf_windows_get(desktop, id, &gone);
    if (!window && hf_error_code(gone) != HF_ERROR_WINDOW_NOT_FOUND) {
        g_propagate_error(error, g_steal_pointer(&gone));
        return FALSE;
    }
    if (!window)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the window %u was closed since", id);
    return hf_precondition_fits_window(wanted, window) ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "the window '%s' was moved, resized or minimized since", window->title);
}

static gboolean check_process(const json_t *wanted, GError **error)
{
    HfProcess process;
    return (hf_process_read((pid_t)hf_json_int(wanted, "pid", 0), &process) &&
            process.state != 'Z' &&
            (json_int_t)process.start_time == hf_json_int(wanted, "start_time", 0)) ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the process %d has ended since",
                   (int)hf_json_int(wanted, "pid", 0));
}

static gboolean check_expected_files(const json_t *files, const json_t *walls, GError **error)
{
    g_autoptr(HfFileWalls) opened = hf_file_walls_open(walls, error);
    return opened && hf_file_operation_check_expected(opened, files, error);
}

gboolean hf_precondition_check(HfDesktop *desktop, const json_t *expect, const json_t *walls,
                               const HfDeadline *deadline, GError **error)
{
    const json_t *clipboard = json_object_get(expect, "clipboard");
    json_int_t focused = hf_json_int(expect, "focused", 0);
    const json_t *window = json_object_get(expect, "window");
    const json_t *process = json_object_get(expect, "process");
    const json_t *files = json_object_get(expect, "files");
    return (!clipboard || check_clipboard(desktop, clipboard, deadline, error)) &&
           (!focused || check_focused(desktop, focused, error)) &&
           (!window || check_expected_window(desktop, window, error)) &&
           (!process || check_process(process, error)) &&
           (!files || check_expected_files(files, walls, error));
}
