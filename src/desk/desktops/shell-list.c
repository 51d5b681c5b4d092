/* SPDX-License-Identifier: Apache-2.0 */
/* The hand keeps shells; it is asked with the tool that lists them, in the name of the caller, and
 * tells of no others. */
#include "desk/desktops/shell-list.h"

#include "shared/tool/registry.h"

/* Where it is and whether it is in use; what else there is to know, bash_session tells. */
static json_t *shell_row(const json_t *session)
{
    static const char *const told[] = {"session_id", "cwd", "pty", "busy", "idle_ms"};
    json_t *row = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(told); i++) {
        json_t *value = json_object_get(session, told[i]);
        if (value)
            json_object_set(row, told[i], value);
    }
    return row;
}

json_t *hf_desk_list_shells(const char *desktop, const HfCaller *caller, const HfDeadline *deadline,
                            gpointer desk, GError **error)
{
    g_autofree char *key = hf_caller_dup_key(caller);
    g_autoptr(json_t) params = json_pack("{s:s}", "action", "list");
    g_autoptr(json_t) walls = json_pack("{s:o}", "caller", hf_json_text(key));
    HfErrand errand = {.tool = hf_registry_find("bash_session"),
                       .params = params,
                       .deadline = deadline,
                       .walls = walls};
    g_autoptr(HfResult) result = hf_desk_perform(desk, desktop, &errand, error);
    if (!result)
        return NULL;
    json_t *rows = json_array();
    size_t index;
    json_t *session;
    json_array_foreach (json_object_get(result->json, "sessions"), index, session)
        json_array_append_new(rows, shell_row(session));
    return rows;
}
