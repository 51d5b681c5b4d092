/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schemas of the executor API: of answers, from tables of their members besides runId,
 * stepId and ts, and of bodies, from the tables that check them. Those checks treat null as
 * missing, so the schemas allow null for optional members. */
#include <string.h>

#include "desk/doors/http/executor/executor.h"
#include "desk/doors/http/routes/routes.h"
#include "shared/base/error.h"
#include "shared/tool/param-check.h"
#include "shared/tool/schema.h"

#define MEMBER(NAME, TYPE, ABOUT) HF_REQUIRED(NAME, TYPE, ABOUT)
#define MAYBE(NAME, TYPE, ABOUT)  HF_OPTIONAL(NAME, TYPE, ABOUT)
#define PART(NAME, FIELDS, ABOUT) HF_OBJECT(NAME, ABOUT, .required = TRUE, .fields = FIELDS)
#define LIST(NAME, ITEM, ABOUT)   HF_ARRAY(NAME, ABOUT, .required = TRUE, .items = &(ITEM))

static const HfParam text = {.type = HF_TYPE_STRING};

static const HfParam rect[] = {
    MEMBER("x", HF_TYPE_INTEGER, "Left edge, in physical pixels"),
    MEMBER("y", HF_TYPE_INTEGER, "Top edge"),
    MEMBER("w", HF_TYPE_INTEGER, "Width"),
    MEMBER("h", HF_TYPE_INTEGER, "Height"),
    {0},
};
static const HfParam point[] = {
    MEMBER("x", HF_TYPE_NUMBER, "Pixels from the left edge"),
    MEMBER("y", HF_TYPE_NUMBER, "Pixels from the top edge"),
    {0},
};

static const HfParam allowlist[] = {
    MEMBER("enforced", HF_TYPE_BOOLEAN, "Whether other addresses are refused"),
    LIST("ips", text, "Addresses and networks that may connect"),
    {0},
};
/* `locked` is null where it is unknown. */
static const HfParam health[] = {
    MEMBER("version", HF_TYPE_STRING, "Of the program"),
    MEMBER("state", HF_TYPE_STRING, "online, locked, paused, stopped or error"),
    MEMBER("paused", HF_TYPE_BOOLEAN, "Whether the owner has paused the desktop"),
    MEMBER("stopped", HF_TYPE_BOOLEAN, "Everything was stopped"),
    MEMBER("textInput", HF_TYPE_BOOLEAN, "Whether text input is enabled"),
    PART("allowlist", allowlist, "Who may connect"),
    {0},
};

static const HfParam screen_fields[] = {
    MEMBER("screenId", HF_TYPE_INTEGER, "Its number"),
    MEMBER("name", HF_TYPE_STRING, "Its name"),
    PART("rectPx", rect, "Where it is"),
    MEMBER("width", HF_TYPE_INTEGER, "In physical pixels"),
    MEMBER("height", HF_TYPE_INTEGER, "In physical pixels"),
    MEMBER("scale", HF_TYPE_NUMBER, "Scale factor of programs"),
    MEMBER("dpiX", HF_TYPE_NUMBER, "96 times scale"),
    MEMBER("dpiY", HF_TYPE_NUMBER, "96 times scale"),
    MEMBER("primary", HF_TYPE_BOOLEAN, "The main one"),
    {0},
};
static const HfParam screen = {.type = HF_TYPE_OBJECT, .fields = screen_fields};
static const HfParam coordinates[] = {
    MEMBER("unit", HF_TYPE_STRING, "physical pixels"),
    MEMBER("origin", HF_TYPE_STRING, "Where they begin"),
    MEMBER("note", HF_TYPE_STRING, "How pixels of pictures and input relate"),
    {0},
};
static const HfParam env[] = {
    LIST("screens", screen, "All of them"),
    MEMBER("layout", HF_TYPE_STRING, "single or multi"),
    PART("coordinateSystem", coordinates, "What coordinates mean"),
    MEMBER("os", HF_TYPE_STRING, "The operating system"),
    MEMBER("hostname", HF_TYPE_STRING, "This machine"),
    {0},
};

static const HfParam window_fields[] = {
    MEMBER("hwnd", HF_TYPE_INTEGER, "Its id"),
    MEMBER("title", HF_TYPE_STRING, "Its title"),
    MEMBER("processName", HF_TYPE_STRING, "Its program"),
    MEMBER("pid", HF_TYPE_INTEGER, "Its process"),
    MEMBER("visible", HF_TYPE_BOOLEAN, "Whether it shows"),
    MEMBER("minimized", HF_TYPE_BOOLEAN, "Whether it is"),
    MEMBER("focused", HF_TYPE_BOOLEAN, "Whether it has the keyboard focus"),
    PART("rect", rect, "Visible area, with the frame"),
    {0},
};
static const HfParam window = {.type = HF_TYPE_OBJECT, .fields = window_fields};
static const HfParam windows[] = {LIST("windows", window, "Topmost first"), {0}};
static const HfParam focused[] = {PART("window", window_fields, "The window"),
                                  PART("windowRectPx", rect, "Visible area, with the frame"),
                                  {0}};

/* `windowRectPx` and `hwnd` are null in a picture without a window. */
static const HfParam picture[] = {
    MAYBE("imageB64", HF_TYPE_STRING, "The picture, in base64"),
    MEMBER("format", HF_TYPE_STRING, "png or jpeg"),
    MEMBER("width", HF_TYPE_INTEGER, "In pixels"),
    MEMBER("height", HF_TYPE_INTEGER, "In pixels"),
    PART("regionRectPx", rect, "What it shows"),
    MEMBER("scale", HF_TYPE_NUMBER, "Scale factor of programs"),
    MEMBER("dpi", HF_TYPE_NUMBER, "96 times scale"),
    MEMBER("dpiX", HF_TYPE_NUMBER, "The same"),
    MEMBER("dpiY", HF_TYPE_NUMBER, "The same"),
    MEMBER("screenId", HF_TYPE_INTEGER, "The screen of the picture"),
    MEMBER("clipped", HF_TYPE_BOOLEAN, "Whether a part lies outside the screen"),
    {0},
};

static const HfParam mouse[] = {PART("position", point, "The actual position"), {0}};
static const HfParam key[] = {
    HF_ARRAY("keys", "What was pressed", .items = &text),
    MAYBE("characters", HF_TYPE_INTEGER, "Number of characters typed"),
    {0},
};

/* `result` and `screenshots` are what a single request for the action would return. */
static const HfParam step_fields[] = {
    MEMBER("index", HF_TYPE_INTEGER, "Index of the action, from 0"),
    MEMBER("action", HF_TYPE_STRING, "What it is"),
    MEMBER("ok", HF_TYPE_BOOLEAN, "Whether it succeeded"),
    MEMBER("stepId", HF_TYPE_STRING, "Its step"),
    MEMBER("attempts", HF_TYPE_INTEGER, "Number of attempts"),
    MEMBER("durationMs", HF_TYPE_NUMBER, "How long it took"),
    MAYBE("result", HF_TYPE_OBJECT, "What it gave"),
    MAYBE("error", HF_TYPE_OBJECT, "Why it failed"),
    MAYBE("screenshots", HF_TYPE_OBJECT, "before and after"),
    {0},
};
static const HfParam step = {.type = HF_TYPE_OBJECT, .fields = step_fields};
static const HfParam macro[] = {
    LIST("results", step, "One entry for each action that started"),
    MEMBER("failed", HF_TYPE_INTEGER, "How many failed"),
    {0},
};

/* `nullable`: members that may also be null. */
static const struct {
    const char *path;
    const HfParam *table;
    const char *nullable[2];
} answers[] = {
    {"/health", health, {"locked"}},
    {"/env", env, {0}},
    {"/window/list", windows, {0}},
    {"/window/focus", focused, {0}},
    {"/capture", picture, {"windowRectPx", "hwnd"}},
    {"/input/mouse", mouse, {0}},
    {"/input/key", key, {0}},
    {"/macro/run", macro, {0}},
};

static int find_executor_answer(const char *path)
{
    for (gsize i = 0; i < G_N_ELEMENTS(answers); i++)
        if (strcmp(answers[i].path, path) == 0)
            return (int)i;
    return -1;
}

json_t *hf_executor_answer_schema(const char *path)
{
    int index = find_executor_answer(path);
    if (index < 0)
        return NULL;
    json_t *schema = hf_schema_of_table(answers[index].table);
    for (gsize i = 0; i < G_N_ELEMENTS(answers[index].nullable) && answers[index].nullable[i]; i++)
        json_object_set_new(json_object_get(schema, "properties"), answers[index].nullable[i],
                            json_object());
    hf_schema_open(schema);
    return schema;
}

/* http-response.c adds the members of every answer. */
static json_t *without_names(const json_t *answer, const char *const nullable[2])
{
    static const char *const names[] = {"runId", "stepId", "ts"};
    json_t *rest = json_copy((json_t *)answer);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        json_object_del(rest, names[i]);
    for (gsize i = 0; i < 2 && nullable[i]; i++)
        json_object_del(rest, nullable[i]);
    return rest;
}

void hf_executor_answer_assert(const char *path, const json_t *answer)
{
    g_autoptr(GError) error = NULL;
    int index = find_executor_answer(path);
    if (index < 0 || json_object_get(answer, "error"))
        return;
    g_autoptr(json_t) rest = without_names(answer, answers[index].nullable);
    if (!hf_check_result(answers[index].table, rest, &error))
        g_error("the answer of %s does not match executor-schema.c: %s", path, error->message);
}

/* ---- bodies ---- */

static gboolean schema_list_has(const json_t *list, const char *word)
{
    hf_json_each (item, list)
        if (strcmp(json_string_value(item), word) == 0)
            return TRUE;
    return FALSE;
}

static void take_null(json_t *schema)
{
    json_t *forms = json_object_get(schema, "anyOf"), *choices = json_object_get(schema, "enum");
    json_t *type = json_object_get(schema, "type");
    if (forms)
        json_array_append_new(forms, json_pack("{s:s}", "type", "null"));
    if (choices)
        json_array_append_new(choices, json_null());
    if (json_is_string(type))
        json_object_set_new(schema, "type", json_pack("[O, s]", type, "null"));
}

static json_t *with_nulls(json_t *take_schema)
{
    const char *name;
    json_t *member;
    json_object_foreach (json_object_get(take_schema, "properties"), name, member) {
        with_nulls(member);
        if (!schema_list_has(json_object_get(take_schema, "required"), name))
            take_null(member);
    }
    return take_schema;
}

/* An action of a macro: named, with options. */
static json_t *step_schema(const HfExecutorAction *action)
{
    json_t *schema = with_nulls(hf_schema_of_tables(action->params, hf_executor_options));
    json_t *required = json_object_get(schema, "required");
    json_object_set_new(json_object_get(schema, "properties"), "action",
                        json_pack("{s:s}", "const", action->name));
    if (required)
        json_array_insert_new(required, 0, json_string("action"));
    else
        json_object_set_new(schema, "required", json_pack("[s]", "action"));
    return schema;
}

static json_t *macro_schema(void)
{
    json_t *schema = with_nulls(hf_schema_of_tables(hf_executor_macro, hf_executor_common));
    json_t *steps = json_array();
    for (const HfExecutorAction *const *action = hf_executor_actions; *action; action++)
        json_array_append_new(steps, step_schema(*action));
    json_t *actions = json_object_get(json_object_get(schema, "properties"), "actions");
    json_object_set_new(actions, "items", json_pack("{s:o}", "oneOf", steps));
    return schema;
}

json_t *hf_executor_schema(const HfHttpRoute *route)
{
    return route->action
               ? with_nulls(hf_schema_of_tables(route->action->params, hf_executor_common))
               : macro_schema();
}
