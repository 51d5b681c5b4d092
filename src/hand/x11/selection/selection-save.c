/* SPDX-License-Identifier: Apache-2.0 */
/* Saving a selection. Formats that are no content (the list of formats, commands to the owner,
 * handles that die with it) are left out, and so are those that the owner itself refuses. One that
 * does not arrive in time or is too large may be missing only if its kind was saved in another
 * format: a text as UTF-8 instead of Latin-1, a picture as PNG instead of TIFF. */
#include "hand/x11/selection/selection-save.h"

#include <string.h>

#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

typedef struct Save {
    HfSelectionReader *reader;
    GArray *atoms;
    GPtrArray *names;
    HfSelectionValue *values; /* one for each atom */
    GHashTable *kinds;        /* of what has been saved */
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

/* What a format is another form of; formats of the same kind can stand in for each other. */
static const char *target_kind(const char *target)
{
    static const char *const texts[] = {"UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", NULL};
    if (g_strv_contains(texts, target) || g_str_has_prefix(target, "text/plain"))
        return "text";
    return g_str_has_prefix(target, "image/") ? "image" : target;
}

/* Texts and the like first, then the best form of a picture, then its other forms, which programs
 * make when asked and which may take long. */
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
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "the clipboard's content as '%s' cannot be saved (%s), so it is not touched",
                       name, problem->message);
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

/* The values in the owner's order, with the names of their types. */
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

/* What to ask of an owner that does not list its formats, as old programs do. */
static void add_usual_targets(HfX11Connection *names, GArray *atoms)
{
    static const char *const usual[] = {"UTF8_STRING", "STRING"};
    for (guint i = 0; i < G_N_ELEMENTS(usual); i++) {
        xcb_atom_t atom = hf_x11_atom(names, usual[i]);
        g_array_append_val(atoms, atom);
    }
}

static GArray *fetch_targets(HfSelectionReader *reader, const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) problem = NULL;
    GArray *atoms = hf_selection_fetch_targets(reader, deadline, &problem);
    if (atoms)
        return atoms;
    if (hf_error_code(problem) == HF_ERROR_DESKTOP_TIMEOUT && hf_deadline_check(deadline, NULL))
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "the clipboard's content cannot be saved (%s), so it is not touched",
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
    if (atoms->len == 0)
        add_usual_targets(hf_selection_reader_get_names(reader), atoms);
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
