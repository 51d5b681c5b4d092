/* SPDX-License-Identifier: Apache-2.0 */
/* At which step of the guard a call ends: in the audit, and in the count of each step. The hand is
 * this program. */
#include <unistd.h>

#include "desk/guard/guard.h"
#include "desk/records/audit/audit-database.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

typedef struct Place {
    char *folder, *path;
    HfStore *store;
    HfLiveConfig *agreement;
    HfGuard *guard;
    int asked;          /* how often the hand was asked to do something */
    int previewed;      /* and how often what it would do */
    gboolean secure;    /* there is a password field in front of the hand */
    gboolean looked_at; /* a live view has asked for a picture */
} Place;

static HfResult *perform(gpointer data, const char *desktop, HfErrand *errand, GError **error)
{
    Place *place = data;
    if (errand->preview) {
        place->previewed++;
        return hf_result_new(json_pack("{s:{s:s}}", "target", "kind", "nothing"));
    }
    if (errand->meanwhile && !g_steal_pointer(&errand->meanwhile)(errand->meanwhile_data, error))
        return NULL;
    place->looked_at = errand->view != NULL;
    if (place->secure && !errand->approved) {
        hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED, "a password field");
        hf_error_take_details(error, json_pack("{s:b}", "ask_owner", TRUE));
        return NULL;
    }
    place->asked++;
    return hf_result_new(json_pack("{s:i, s:i}", "x", 1, "y", 2));
}

static void begin(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) document = json_pack(
        "{s:{s:s}, s:{s:s}, s:{s:s}, s:{s:i}, s:{s:{s:{s:i}}}}", "security", "client_level", "L2",
        "projects", "default_approval_template", "full-auto", "evidence", "policy", "none",
        "approval", "timeout_s", 1, "limits", "tools", "cursor_position", "per_minute", 1);
    place->folder = g_dir_make_tmp("hf-steps-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    place->store = hf_store_open(place->path, &error);
    g_assert_no_error(error);
    place->agreement = hf_live_config_new_fixed(hf_config_new(document, NULL, NULL, &error));
    g_assert_no_error(error);
    HfGuardParts parts = {place->folder, place->store, place->agreement, perform, place, NULL};
    place->guard = hf_guard_new(&parts, &error);
    g_assert_no_error(error);
}

static void end(Place *place, gconstpointer unused)
{
    hf_guard_free(place->guard);
    hf_live_config_free(place->agreement);
    hf_store_close(place->store);
    hf_remove_tree(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

static HfCaller test_caller(void)
{
    return (HfCaller){.kind = HF_CALLER_CLIENT,
                      .name = "test",
                      .door = "bridge",
                      .pid = getpid(),
                      .uid = getuid(),
                      .run_id = "r1"};
}

static HfAnswer *call(Place *place, const char *tool, const char *params)
{
    g_autoptr(json_t) given = json_loads(params, 0, NULL);
    HfCaller caller = test_caller();
    HfRequest request = {.caller = &caller, .tool = tool, .params = given};
    return hf_guard_call(place->guard, &request);
}

static guint count_ended(Place *place, const char *step)
{
    const char *name;
    guint ended, all = 0;
    for (guint i = 0; (name = hf_guard_get_step(place->guard, i, &ended)); i++) {
        if (g_strcmp0(name, step) == 0)
            return ended;
        all += ended;
    }
    g_assert_null(step);
    return all;
}

/* The step that the call's last row names; NULL: none. */
static char *dup_guard_step(Place *place)
{
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(place->path, NULL);
    HfAuditFilter filter = {.limit = 1};
    g_autoptr(json_t) rows = hf_audit_database_rows(database, &filter, NULL);
    return g_strdup(hf_json_string(json_array_get(rows, 0), "guard_step", NULL));
}

#define MOVE "{\"x\": 1, \"y\": 2, \"smooth\": false"

static void test_where_calls_end(Place *place, gconstpointer unused)
{
    const struct {
        const char *tool, *params;
        HfErrorCode code; /* HF_ERROR_COUNT: it succeeds */
        const char *step; /* NULL: at none */
    } rows[] = {
        {"no_such_tool", "{}", HF_ERROR_UNKNOWN_TOOL, "validate"},
        {"mouse_move", "{\"x\": \"left\"}", HF_ERROR_INVALID_PARAMS, "validate"},
        {"left_click", "{\"x\": 1, \"y\": 2, \"grant\": \"none\"}", HF_ERROR_FORBIDDEN,
         "permission"},
        {"run_script", "{\"path\": \"/x\"}", HF_ERROR_FORBIDDEN, "permission"},
        {"cursor_position", "{}", HF_ERROR_COUNT, NULL},
        {"cursor_position", "{}", HF_ERROR_RATE_LIMITED, "rate-limit"},
        {"cursor_position", "{\"dry_run\": true}", HF_ERROR_COUNT, NULL}, /* is not counted */
        {"mouse_move", MOVE ", \"idempotency_key\": \"once\"}", HF_ERROR_COUNT, NULL},
        {"mouse_move", MOVE ", \"idempotency_key\": \"once\"}", HF_ERROR_COUNT, "idempotency"},
        {"mouse_move", "{\"x\": 9, \"y\": 9, \"idempotency_key\": \"once\"}", HF_ERROR_CONFLICT,
         "idempotency"},
        {"mouse_move", MOVE ", \"phase\": \"prepare\"}", HF_ERROR_COUNT, "approval"},
        {"mouse_move", MOVE ", \"phase\": \"confirm\", \"confirm_token\": \"no\"}",
         HF_ERROR_DESKTOP_CONFIRM_REQUIRED, "approval"},
    };
    guint all = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint before = rows[i].step ? count_ended(place, rows[i].step) : 0;
        g_autoptr(HfAnswer) answer = call(place, rows[i].tool, rows[i].params);
        g_autofree char *named = dup_guard_step(place);
        g_test_message("%s %s: %s", rows[i].tool, rows[i].params,
                       answer->error ? answer->error->message : "done");
        if (rows[i].code == HF_ERROR_COUNT)
            g_assert_no_error(answer->error);
        else
            g_assert_error(answer->error, HF_ERROR, (int)rows[i].code);
        g_assert_cmpstr(named, ==, answer->error ? rows[i].step : NULL);
        if (rows[i].step)
            g_assert_cmpuint(count_ended(place, rows[i].step), ==, before + 1);
        all += rows[i].step ? 1 : 0;
        g_assert_cmpuint(count_ended(place, NULL), ==, all);
    }
}

/* A dry run goes through the steps that ask, and the hand does nothing. */
static void test_a_dry_run_ends_in_the_preview(Place *place, gconstpointer unused)
{
    g_autoptr(HfAnswer) answer = call(place, "mouse_move", MOVE ", \"dry_run\": true}");
    g_assert_no_error(answer->error);
    g_assert_cmpstr(hf_json_string(answer->result->json, "decision", ""), ==, "auto_approve");
    g_assert_cmpint(place->asked, ==, 0);
    g_assert_cmpint(place->previewed, ==, 1);
}

/* The hand meets a password field: the owner is asked in the middle of perform. Nobody answers, and
 * the call has ended at the step that asked. */
static void test_a_repeated_step_is_named(Place *place, gconstpointer unused)
{
    place->secure = TRUE;
    g_autoptr(HfAnswer) answer = call(place, "mouse_move", MOVE "}");
    g_autofree char *named = dup_guard_step(place);
    g_assert_error(answer->error, HF_ERROR, HF_ERROR_APPROVAL_EXPIRED);
    g_assert_cmpstr(named, ==, "approval");
    g_assert_cmpuint(count_ended(place, "approval"), ==, 1);
    g_assert_cmpuint(count_ended(place, "perform"), ==, 0);
    g_assert_cmpint(place->asked, ==, 0);
    place->secure = FALSE; /* the turn was given back */
    g_autoptr(HfAnswer) next = call(place, "mouse_move", MOVE "}");
    g_assert_no_error(next->error);
}

/* A live view asks again what may have changed, and neither counts nor is written down. */
static void test_a_look_runs_the_same_table(Place *place, gconstpointer unused)
{
    HfCaller caller = test_caller();
    g_autoptr(json_t) params = json_object();
    HfRequest request = {.caller = &caller, .tool = "cursor_position", .params = params};
    for (int i = 0; i < 3; i++) { /* more than the limit of a call */
        g_autoptr(HfAnswer) answer = hf_guard_look(place->guard, &request, "v1", 1);
        g_assert_no_error(answer->error);
        g_assert_true(place->looked_at);
    }
    caller.uid = getuid() + 1;
    g_autoptr(HfAnswer) refused = hf_guard_look(place->guard, &request, "v1", 2);
    g_assert_error(refused->error, HF_ERROR, HF_ERROR_UNAUTHENTICATED);
    g_assert_cmpuint(count_ended(place, NULL), ==, 0);
    g_autofree char *named = dup_guard_step(place);
    g_assert_null(named);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/guard-steps/where-calls-end", Place, NULL, begin, test_where_calls_end, end);
    g_test_add("/guard-steps/dry-run", Place, NULL, begin, test_a_dry_run_ends_in_the_preview, end);
    g_test_add("/guard-steps/repeated", Place, NULL, begin, test_a_repeated_step_is_named, end);
    g_test_add("/guard-steps/look", Place, NULL, begin, test_a_look_runs_the_same_table, end);
    return g_test_run();
}
