/* SPDX-License-Identifier: Apache-2.0 */
/* A row for each type. Members may be added; removing one breaks the contract. Test runs check
 * every event against it (events.c). */
#include "desk/records/events/event-schema.h"

#include <string.h>

#define CALL "tool run_id step_id desktop caller door risk"
/* Events that are made from an audit row (desk/records/audit/audit.c). */
#define DONE "caller by reason desktop run_id ok id name problem action"

static const struct {
    const char *type, *members;
} rows[] = {
    {"call.started", CALL},
    {"call.waiting", CALL " for approval"},
    {"call.finished", CALL " ok code duration_ms dry_run replayed"},
    {"approval.open", CALL " approval expires_ms"},
    {"approval.closed", CALL " approval state"},
    {"stop", DONE},
    {"pause", DONE},
    {"resume", DONE},
    {"abort", DONE},
    {"takeover", "desktop interrupted"},
    {"config.changed", DONE " policy_hash"},
    {"grant.changed", DONE},
    {"token.changed", DONE},
    {"desktop.added", "desktop kind"},
    {"desktop.removed", "desktop kind"},
    {"hand.started", "desktop pid"},
    {"hand.died", "desktop pid problem"},
    {"notice", CALL},
    {"stream.opened", DONE " stream"},
    {"stream.closed", DONE " stream frames duration_ms"},
    {"operation.started", CALL " operation"},
    {"operation.finished", CALL " operation status ok code duration_ms"},
    {"events.missed", "since count"},
};

static char **dup_members(const char *type)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].type, type) == 0)
            return g_strsplit(rows[i].members, " ", -1);
    return g_new0(char *, 1);
}

gboolean hf_event_schema_fits(const char *type, const json_t *data, const char **ret_wrong)
{
    g_auto(GStrv) members = dup_members(type);
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)data, name, value) {
        *ret_wrong = name;
        if (!g_strv_contains((const char *const *)members, name))
            return FALSE;
    }
    return TRUE;
}

json_t *hf_event_schema_describe(void)
{
    json_t *described = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(GStrv) members = dup_members(rows[i].type);
        json_t *list = json_array();
        for (char **member = members; *member; member++)
            json_array_append_new(list, json_string(*member));
        json_object_set_new(described, rows[i].type, list);
    }
    return described;
}
