/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a value by its schema and removes what must not be stored. When in doubt it removes more.
 * The patterns are in secret-patterns.c. */
#include "desk/records/audit/redact.h"

#include <string.h>

#include "desk/records/records-limits.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/secret-patterns.h"
#include "shared/text/text.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

/* Only the beginning of a longer text is searched. */
#define LOOK_BYTES   (16u * 1024)
#define MOST_MEMBERS 64u
#define MOST_DEPTH   8
/* A shorter secret occurs in many words by chance. */
#define ECHO_BYTES 4

typedef struct Walk {
    const HfParam *table; /* of the call, for echoes; may be NULL */
    const json_t *params;
} Walk;

char *hf_redact_text(const char *text, gsize limit)
{
    g_autofree char *looked = hf_text_shorten(text, LOOK_BYTES);
    g_autofree char *clean = hf_secret_patterns_redact(looked);
    return hf_text_shorten(clean, limit);
}

static char *redact_known_secret(char *take_text, const char *secret)
{
    if (strlen(secret) < ECHO_BYTES || !strstr(take_text, secret))
        return take_text;
    GString *text = g_string_new(take_text);
    g_string_replace(text, secret, HF_REDACTED, 0);
    g_free(take_text);
    return g_string_free(text, FALSE);
}

static char *without_echo(char *take_text, const HfParam *table, const json_t *params);

/* Removes the secrets of inner calls. */
static char *without_echoes(char *take_text, const json_t *calls)
{
    static const char *const inner[] = {"steps", "else", "otherwise"};
    char *clean = take_text;
    hf_json_each (call, calls) {
        const HfTool *tool = hf_registry_find(hf_json_string(call, "tool", ""));
        if (tool)
            clean = without_echo(clean, tool->params, json_object_get(call, "params"));
        for (gsize i = 0; i < G_N_ELEMENTS(inner); i++)
            if (json_is_array(json_object_get(call, inner[i])))
                clean = without_echoes(clean, json_object_get(call, inner[i]));
    }
    return clean;
}

/* Removes the texts of an object. */
static char *without_members(char *take_text, const json_t *value)
{
    char *clean = take_text;
    const char *key;
    json_t *member;
    json_object_foreach ((json_t *)value, key, member)
        if (json_is_string(member))
            clean = redact_known_secret(clean, json_string_value(member));
    return clean;
}

/* Removes the secrets among a program's arguments: -b session=1234 is one because of curl. */
static char *without_arguments(char *take_text, const HfParam *table, const json_t *params,
                               const json_t *arguments)
{
    g_autoptr(GString) whole = g_string_new(NULL);
    for (const HfParam *param = table; param->name; param++)
        if (param->means == HF_MEANS_PROGRAM)
            g_string_append(whole, hf_json_string(params, param->name, ""));
    hf_json_each (argument, arguments) {
        const char *text = json_is_string(argument) ? json_string_value(argument) : "";
        g_autofree char *quoted = strpbrk(text, " \t\n'\"") ? g_shell_quote(text) : g_strdup(text);
        g_string_append_printf(whole, " %s", quoted);
    }
    g_string_truncate(whole, MIN(whole->len, LOOK_BYTES));
    g_autoptr(GPtrArray) secrets = hf_secret_patterns_find(whole->str);
    char *clean = take_text;
    for (guint i = 0; i < secrets->len; i++)
        clean = redact_known_secret(clean, secrets->pdata[i]);
    return clean;
}

/* Removes the call's own secrets. */
static char *without_echo(char *take_text, const HfParam *table, const json_t *params)
{
    char *clean = take_text;
    for (const HfParam *param = table; param && param->name; param++) {
        const char *secret = hf_json_string(params, param->name, NULL);
        if (param->secret && secret)
            clean = redact_known_secret(clean, secret);
        else if (param->secret)
            clean = without_members(clean, json_object_get(params, param->name));
        if (param->means == HF_MEANS_ARGUMENTS && json_object_get(params, param->name))
            clean = without_arguments(clean, table, params, json_object_get(params, param->name));
        if (param->means == HF_MEANS_CALLS)
            clean = without_echoes(clean, json_object_get(params, param->name));
    }
    return clean;
}

char *hf_redact_echo(const char *text, const HfParam *table, const json_t *params)
{
    g_autofree char *clean = without_echo(hf_text_shorten(text, LOOK_BYTES), table, params);
    return hf_redact_text(clean, HF_LIMIT_AUDIT_TEXT_BYTES);
}

json_t *hf_redact_strings(const json_t *value, const HfParam *table, const json_t *params)
{
    const char *key;
    json_t *member;
    if (json_is_string(value)) {
        g_autofree char *text = without_echo(g_strdup(json_string_value(value)), table, params);
        g_autofree char *clean = hf_secret_patterns_redact(text);
        return hf_json_text(clean);
    }
    if (json_is_array(value)) {
        json_t *list = json_array();
        hf_json_each (item, value)
            json_array_append_new(list, hf_redact_strings(item, table, params));
        return list;
    }
    if (!json_is_object(value))
        return json_incref((json_t *)value);
    json_t *object = json_object();
    json_object_foreach ((json_t *)value, key, member)
        json_object_set_new(object, key, hf_redact_strings(member, table, params));
    return object;
}

/* What is kept of a secret value: its type or size. */
static json_t *shape_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        return json_pack("{s:I}", "bytes", (json_int_t)json_string_length(value));
    case JSON_ARRAY:
        return json_pack("{s:I}", "members", (json_int_t)json_array_size(value));
    case JSON_OBJECT:
        return json_pack("{s:I}", "members", (json_int_t)json_object_size(value));
    case JSON_INTEGER:
    case JSON_REAL:
        return json_string("number");
    default:
        return json_string("boolean or null");
    }
}

static json_t *redact_string(const Walk *walk, const json_t *value)
{
    gsize size = json_string_length(value);
    g_autofree char *clean = hf_redact_echo(json_string_value(value), walk->table, walk->params);
    if (size <= HF_LIMIT_AUDIT_TEXT_BYTES)
        return hf_json_text(clean);
    return json_pack("{s:I, s:o}", "bytes", (json_int_t)size, "begins", hf_json_text(clean));
}

static json_t *redact_any(const Walk *walk, const json_t *value, int depth);

/* "--password" in a list of arguments: the next argument is secret. */
static gboolean is_secret_flag(const json_t *value)
{
    const char *text = json_string_value(value);
    return text && *text == '-' && hf_secret_patterns_match_name(text);
}

static json_t *redact_described(const Walk *walk, const HfParam *table, const json_t *params,
                                int depth);

/* In an inner call or its result, the inner tool says what is secret. */
static json_t *redact_member(const Walk *walk, const json_t *object, const char *key,
                             const json_t *member, int depth)
{
    gboolean params = strcmp(key, "params") == 0, result = strcmp(key, "result") == 0;
    if (hf_secret_patterns_match_name(key))
        return shape_of(member);
    if (!json_is_object(member) || !(params || result))
        return redact_any(walk, member, depth + 1);
    const HfTool *tool = hf_registry_find(hf_json_string(object, "tool", ""));
    return redact_described(walk,
                            !tool    ? NULL
                            : params ? tool->params
                                     : tool->result,
                            member, depth + 1);
}

static json_t *redact_members(const Walk *walk, const json_t *object, int depth)
{
    json_t *kept = json_object();
    const char *key;
    json_t *member;
    guint count = 0;
    json_object_foreach ((json_t *)object, key, member) {
        if (count++ == MOST_MEMBERS) {
            json_object_set_new(kept, "...", shape_of(object));
            break;
        }
        g_autofree char *name = hf_text_shorten(key, HF_LIMIT_NAME_BYTES);
        json_object_set_new(kept, name, redact_member(walk, object, key, member, depth));
    }
    return kept;
}

static json_t *redact_any(const Walk *walk, const json_t *value, int depth)
{
    if (depth > MOST_DEPTH)
        return shape_of(value);
    if (json_is_string(value))
        return redact_string(walk, value);
    if (json_is_object(value))
        return redact_members(walk, value, depth);
    if (!json_is_array(value))
        return json_incref((json_t *)value);
    json_t *kept = json_array();
    for (size_t i = 0; i < json_array_size(value) && i < MOST_MEMBERS; i++) {
        const json_t *member = json_array_get(value, i);
        gboolean hide = i > 0 && is_secret_flag(json_array_get(value, i - 1));
        json_array_append_new(kept, hide ? shape_of(member) : redact_any(walk, member, depth + 1));
    }
    if (json_array_size(value) > MOST_MEMBERS)
        json_array_append_new(kept, shape_of(value));
    return kept;
}

/* Of a value that is too large, only the size is kept. */
static json_t *bound_redacted_size(json_t *take_value)
{
    gsize size = json_dumpb(take_value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
    if (size <= HF_LIMIT_AUDIT_PARAMS_BYTES)
        return take_value;
    json_decref(take_value);
    return json_pack("{s:I}", "redacted_bytes", (json_int_t)size);
}

static const HfParam *find_described(const HfParam *table, const char *name)
{
    const HfParam *param = hf_param_find(table, name);
    return param ? param : hf_param_find(hf_common_params, name);
}

static json_t *redact_described(const Walk *walk, const HfParam *table, const json_t *params,
                                int depth)
{
    json_t *kept = json_object();
    const char *key;
    json_t *value;
    guint count = 0;
    json_object_foreach ((json_t *)params, key, value) {
        if (count++ == MOST_MEMBERS)
            break;
        const HfParam *param = find_described(table, key);
        g_autofree char *name = hf_text_shorten(key, HF_LIMIT_NAME_BYTES);
        gboolean hide = !param || param->secret || hf_secret_patterns_match_name(key);
        json_object_set_new(kept, name, hide ? shape_of(value) : redact_any(walk, value, depth));
    }
    return kept;
}

json_t *hf_redact_params(const HfParam *table, const json_t *params)
{
    Walk walk = {table, params};
    return bound_redacted_size(redact_described(&walk, table, params, 0));
}

json_t *hf_redact_value_echo(const json_t *value, const HfParam *table, const json_t *params)
{
    Walk walk = {table, params};
    return bound_redacted_size(redact_any(&walk, value, 0));
}

json_t *hf_redact_value(const json_t *value)
{
    return hf_redact_value_echo(value, NULL, NULL);
}
