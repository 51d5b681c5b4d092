/* SPDX-License-Identifier: Apache-2.0 */
/* The results of the bridge methods, for the contract and the OpenAPI document. In tests, every
 * answer must match. Audit rows, questions to the owner, grants and the configuration have their
 * own forms (docs/audit.md, docs/approvals.md, docs/policy.md). */
#include "desk/doors/methods/method-results.h"

#include "shared/base/error.h"
#include "shared/tool/param-check.h"
#include "shared/tool/schema.h"

#define TEXT(NAME, ABOUT)        HF_STRING(NAME, ABOUT, .required = TRUE)
#define COUNT(NAME, ABOUT)       HF_INTEGER(NAME, ABOUT, .required = TRUE)
#define FLAG(NAME, ABOUT)        HF_BOOLEAN(NAME, ABOUT, .required = TRUE)
#define THING(NAME, ABOUT)       HF_OBJECT(NAME, ABOUT, .required = TRUE)
#define MAYBE(NAME, TYPE, ABOUT) HF_OPTIONAL(NAME, TYPE, ABOUT)
#define LIST(NAME, ITEM, ABOUT)  HF_ARRAY(NAME, ABOUT, .required = TRUE, .items = &(ITEM))

static const HfParam any_object = {.type = HF_TYPE_OBJECT};
static const HfParam any_text = {.type = HF_TYPE_STRING};

static const HfParam nothing[] = {{0}};

static const HfParam refused_fields[] = {
    TEXT("host", "The host, as the program named it"),
    COUNT("port", "The port"),
    TEXT("reason", "Why"),
    {0},
};
static const HfParam refused_item = {.type = HF_TYPE_OBJECT, .fields = refused_fields};

static const HfParam walls_fields[] = {
    FLAG("contained", "Whether programs on it are in a container that they cannot leave"),
    MAYBE("missing", HF_TYPE_BOOLEAN,
          "They should be, but this system does not allow it: the strict template applies"),
    MAYBE("reason", HF_TYPE_STRING, "Why they are not"),
    MAYBE("suggestion", HF_TYPE_STRING, "How to get a container"),
    MAYBE("home", HF_TYPE_STRING, "HOME inside: own or user"),
    MAYBE("home_directory", HF_TYPE_STRING, "Where this machine keeps its own home"),
    MAYBE("exchange", HF_TYPE_STRING, "The directory for what you and its programs exchange"),
    MAYBE("network", HF_TYPE_STRING, "open, policy, none or host"),
    MAYBE("network_problem", HF_TYPE_STRING, "Why there is no network although there should be"),
    HF_ARRAY("refused", "With the network policy: the last hosts that programs were refused",
             .items = &refused_item),
    HF_ARRAY("writable", "Directories of this machine that programs may write", .items = &any_text),
    HF_ARRAY("readable", "Directories of this machine that programs may read", .items = &any_text),
    {0},
};

static const HfParam program_fields[] = {
    COUNT("pid", "Its process id"), TEXT("name", "The name of its process"), {0}};
static const HfParam program = {.type = HF_TYPE_OBJECT, .fields = program_fields};
static const HfParam programs_fields[] = {
    FLAG("namespace", "Whether they run in a PID namespace of their own"),
    MAYBE("missing", HF_TYPE_BOOLEAN, "Whether they should, but this system does not allow it"),
    MAYBE("reason", HF_TYPE_STRING, "Why they do not"),
    MAYBE("suggestion", HF_TYPE_STRING, "What to do about it"),
    LIST("running", program, "Those that run now; at most 50"),
    {0},
};

static const HfParam desktop_fields[] = {
    TEXT("name", "Its name"),
    TEXT("kind", "virtual or attached"),
    TEXT("state", "Whether it can be used: ready"),
    TEXT("display", "Its X display"),
    COUNT("restarts", "Number of restarts of its hand"),
    COUNT("hand_pid", "Process id of its hand; 0: none, or not for this caller"),
    MAYBE("environment", HF_TYPE_OBJECT, "Environment of programs that run on it"),
    MAYBE("width", HF_TYPE_INTEGER, "Width in pixels, of a virtual desktop"),
    MAYBE("height", HF_TYPE_INTEGER, "In pixels"),
    MAYBE("scale", HF_TYPE_NUMBER, "Scale factor of programs"),
    MAYBE("depth", HF_TYPE_INTEGER, "Of its colours"),
    HF_OBJECT("walls", "What programs on a virtual desktop can reach", .fields = walls_fields),
    HF_OBJECT("programs", "What agents have started on an attached desktop",
              .fields = programs_fields),
    MAYBE("held", HF_TYPE_STRING, "What the hand's brake has stopped"),
    MAYBE("hotkey_problem", HF_TYPE_OBJECT, "Why the stop key does not work there"),
    MAYBE("failure", HF_TYPE_STRING, "Why it cannot be used"),
    {0},
};
static const HfParam desktop = {.type = HF_TYPE_OBJECT, .fields = desktop_fields};
static const HfParam desktops[] = {LIST("desktops", desktop, "All of them"), {0}};

static const HfParam status[] = {
    TEXT("version", "Of the program"),
    TEXT("contract", "Version of this API"),
    COUNT("pid", "The desk's process; 0: not for this caller"),
    LIST("desktops", desktop, "As desktop.list"),
    THING("doors", "Where each door listens"),
    THING("holds", "As pause"),
    THING("config", "The configuration files, and when they were loaded"),
    THING("audit", "Whether it is enabled"),
    HF_ARRAY("tainted", "As callers of taint.list, for those who see everything",
             .items = &any_object),
    {0},
};

static const HfParam tools[] = {LIST("tools", any_object, "With their schemas"), {0}};

/* `stopped` is null, or says who stopped it. */
static const HfParam holds[] = {
    LIST("paused", any_object, "What is paused: by whom, why, since when"),
    COUNT("aborted", "Number of aborted runs"),
    LIST("takeovers", any_object, "Desktops that a person is using"),
    {0},
};
#define DURABLE FLAG("durable", "Whether it also holds after a restart of the desk")
static const HfParam paused[] = {
    LIST("paused", any_object, "What is paused: by whom, why, since when"),
    COUNT("aborted", "Number of aborted runs"),
    LIST("takeovers", any_object, "Desktops that a person is using"),
    DURABLE,
    {0},
};
static const HfParam aborted[] = {
    COUNT("calls_called_off", "Number of calls that were in flight"), DURABLE, {0}};

static const HfParam config_value[] = {
    LIST("locked", any_text, "Fields that the administrator has fixed"), {0}};

static const HfParam config_held[] = {
    LIST("held", any_object, "Changes that wait for the owner: field, accepted, wanted"),
    TEXT("hash", "Of the configuration that the files ask for"),
    {0},
};

static const HfParam change_fields[] = {
    TEXT("step_id", "The call"),
    TEXT("run_id", "Its run"),
    TEXT("tool", "What did it"),
    TEXT("caller", "Who"),
    TEXT("when", "In local time"),
    TEXT("desktop", "Where"),
    TEXT("undo", "'by TOOL', or 'no: WHY'"),
    MAYBE("what", HF_TYPE_STRING, "The changed object, if it has a name"),
    MAYBE("undoes", HF_TYPE_STRING, "The step that it has undone"),
    MAYBE("undone_by", HF_TYPE_STRING, "The step that has undone it"),
    {0},
};
static const HfParam change = {.type = HF_TYPE_OBJECT, .fields = change_fields};
static const HfParam changes[] = {LIST("changes", change, "The latest first"), {0}};

static const HfParam operations[] = {
    LIST("operations", any_object, "As operation_status describes them, the latest first"), {0}};

static const HfParam grant_made[] = {TEXT("id", "Its name"), THING("grant", "What it allows"), {0}};
static const HfParam grant_fields[] = {
    TEXT("id", "Its name"),
    TEXT("made_by", "Who made it"),
    COUNT("made_at", "Milliseconds since 1970"),
    FLAG("revoked", "Whether it was revoked"),
    COUNT("calls", "Number of calls under it"),
    THING("grant", "What it allows"),
    MAYBE("parent", HF_TYPE_STRING, "The grant that it is part of"),
    {0},
};
static const HfParam grant = {.type = HF_TYPE_OBJECT, .fields = grant_fields};
static const HfParam grants[] = {LIST("grants", grant, "All of them"), {0}};

static const HfParam taint_fields[] = {
    TEXT("name", "The caller"),
    TEXT("key", "What identifies it: its token, or its program and session"),
    MAYBE("desktop", HF_TYPE_STRING, "Where it is held back"),
    MAYBE("run", HF_TYPE_STRING, "The run that is held back, instead of a desktop"),
    LIST("reads", any_text, "Whose text it has read"),
    TEXT("tool", "By which tool last"),
    COUNT("since", "First time, in milliseconds since 1970"),
    COUNT("seen", "Last time"),
    COUNT("expires", "When it ends by itself"),
    {0},
};
static const HfParam taint = {.type = HF_TYPE_OBJECT, .fields = taint_fields};
static const HfParam tainted_file_fields[] = {
    TEXT("file", "Its path"),
    TEXT("tool", "What brought or wrote it"),
    TEXT("name", "The caller"),
    TEXT("key", "What identifies the caller"),
    COUNT("since", "Milliseconds since 1970"),
    {0},
};
static const HfParam tainted_file = {.type = HF_TYPE_OBJECT, .fields = tainted_file_fields};
static const HfParam taints[] = {
    LIST("callers", taint, "Who is held back, the latest first"),
    LIST("files", tainted_file, "Files that are not run unasked, the latest first"),
    {0}};

static const HfParam token_made[] = {
    TEXT("name", "Its name"), TEXT("token", "The token itself; shown only once"), {0}};
static const HfParam token_fields[] = {
    TEXT("id", "Its id in the audit"),
    TEXT("name", "Its name"),
    TEXT("role", "client, observer or owner"),
    COUNT("made", "Milliseconds since 1970"),
    TEXT("state", "holds, expired or revoked"),
    MAYBE("level", HF_TYPE_STRING, "Its level"),
    MAYBE("grant", HF_TYPE_STRING, "The grant that limits it"),
    MAYBE("expires", HF_TYPE_INTEGER, "Milliseconds since 1970"),
    MAYBE("used", HF_TYPE_INTEGER, "When it was last used"),
    {0},
};
static const HfParam token = {.type = HF_TYPE_OBJECT, .fields = token_fields};
static const HfParam tokens[] = {LIST("tokens", token, "Without their secrets"), {0}};

static const HfParam run_fields[] = {
    TEXT("run", "Its name"),
    TEXT("when", "Start, in local time"),
    COUNT("began_ms", "Start, in milliseconds since 1970"),
    COUNT("last_ms", "Its latest step"),
    TEXT("caller", "Who"),
    COUNT("steps", "How many"),
    COUNT("failures", "Number of failed steps"),
    COUNT("bytes", "Size on disk, in bytes"),
    TEXT("path", "Where it is"),
    {0},
};
static const HfParam run = {.type = HF_TYPE_OBJECT, .fields = run_fields};
static const HfParam runs[] = {LIST("runs", run, "The latest first"), {0}};
static const HfParam steps[] = {MAYBE("environment", HF_TYPE_OBJECT, "Where it ran"),
                                LIST("steps", any_object, "In their order"),
                                {0}};

static const HfParam rows[] = {LIST("rows", any_object, "The latest last"), {0}};
static const HfParam questions[] = {LIST("approvals", any_object, "The oldest first"), {0}};
static const HfParam remembered[] = {LIST("memory", any_object, "Remembered answers"), {0}};
static const HfParam answered[] = {
    TEXT("id", "The question"), TEXT("state", "approved, denied or cancelled"), {0}};
static const HfParam denied[] = {
    TEXT("id", "The question"), TEXT("state", "denied or cancelled"), DURABLE, {0}};

static const HfParam unstopped_fields[] = {
    TEXT("desktop", "Where"),
    COUNT("running", "How many processes could not be ended"),
    TEXT("reason", "Why"),
    {0},
};
static const HfParam unstopped = {.type = HF_TYPE_OBJECT, .fields = unstopped_fields};
static const HfParam stopped[] = {
    FLAG("stopped", "Nothing goes on"),
    DURABLE,
    HF_ARRAY("unstopped", "What agents have started on the user's own desktop and still runs",
             .items = &unstopped),
    {0},
};
static const HfParam cancelled[] = {FLAG("cancelled", "Whether there was such a call"), {0}};
static const HfParam subscribed[] = {COUNT("since", "The event id that it starts after"), {0}};
static const HfParam opened[] = {TEXT("caller", "The caller, as the desk identified it"), {0}};

/* `any`: one more member of any form. Without a table: the form is documented elsewhere. */
static const struct {
    const char *method;
    const HfParam *table;
    const char *any;
} results[] = {
    {"call", NULL, NULL},
    {"tools", tools, NULL},
    {"status", status, NULL},
    {"desktop.list", desktops, NULL},
    {"desktop.new", desktop_fields, NULL},
    {"desktop.remove", nothing, NULL},
    {"stop", stopped, NULL},
    {"pause", paused, "stopped"},
    {"resume", holds, "stopped"},
    {"abort", aborted, NULL},
    {"cancel", cancelled, NULL},
    {"audit.rotate_key", nothing, NULL},
    {"audit.list", rows, NULL},
    {"config.get", config_value, "value"},
    {"config.set", nothing, NULL},
    {"config.held", config_held, NULL},
    {"config.accept", nothing, NULL},
    {"grant.new", grant_made, NULL},
    {"grant.list", grants, NULL},
    {"grant.show", grant_fields, NULL},
    {"grant.revoke", nothing, NULL},
    {"ledger.list", changes, NULL},
    {"operations.list", operations, NULL},
    {"taint.list", taints, NULL},
    {"taint.clear", nothing, NULL},
    {"token.new", token_made, NULL},
    {"token.list", tokens, NULL},
    {"token.rotate", token_made, NULL},
    {"token.revoke", nothing, NULL},
    {"runs.list", runs, NULL},
    {"runs.show", steps, NULL},
    {"approvals.list", questions, NULL},
    {"approvals.show", NULL, NULL},
    {"approvals.approve", answered, NULL},
    {"approvals.deny", denied, NULL},
    {"approvals.memory", remembered, NULL},
    {"approvals.forget", nothing, NULL},
    {"events.subscribe", subscribed, NULL},
    {"events.unsubscribe", nothing, NULL},
    {"mcp.open", opened, NULL},
};

static int find_method_result(const char *method)
{
    for (gsize i = 0; i < G_N_ELEMENTS(results); i++)
        if (g_str_equal(results[i].method, method))
            return (int)i;
    return -1;
}

static json_t *describe_method_result(const HfParam *table, const char *any)
{
    json_t *schema = table ? hf_schema_of_table(table) : json_pack("{s:s}", "type", "object");
    if (any)
        json_object_set_new(json_object_get(schema, "properties"), any, json_object());
    hf_schema_open(schema);
    return schema;
}

json_t *hf_method_result_schema(const char *method)
{
    int index = find_method_result(method);
    return index < 0 ? NULL : describe_method_result(results[index].table, results[index].any);
}

json_t *hf_method_results_describe(void)
{
    json_t *described = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(results); i++)
        json_object_set_new(described, results[i].method,
                            describe_method_result(results[i].table, results[i].any));
    return described;
}

void hf_method_result_assert(const char *method, const char *answer, gsize length)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) whole = json_loadb(answer, length, 0, NULL);
    g_autoptr(json_t) result = json_copy(json_object_get(whole, "result"));
    int index = find_method_result(method);
    if (index < 0)
        g_error("the method %s has no row in method-results.c", method);
    if (!hf_json_bool(whole, "ok", FALSE) || !results[index].table)
        return;
    if (results[index].any)
        json_object_del(result, results[index].any);
    if (!hf_check_result(results[index].table, result, &error))
        g_error("the answer of %s does not match method-results.c: %s", method, error->message);
}
