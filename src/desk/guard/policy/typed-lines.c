/* SPDX-License-Identifier: Apache-2.0 */
/* A line for each desktop, and a new piece of it with each other window, as far as that can be
 * seen. Which program a window belongs to is not asked: what the desk weighs must not depend on
 * what a window says of itself. The line is looked at when a call is weighed, looked at again when
 * the call has its turn, and changed while it still has it, so that no other call comes in between.
 */
#include "desk/guard/policy/typed-lines.h"

#include <string.h>

#include "desk/guard/policy/live-rules.h"
#include "desk/guard/policy/typed-line.h"
#include "shared/base/error.h"
#include "shared/text/key-names.h"

typedef struct Desktop {
    HfTypedLine *line;
    guint64 changes;
    json_int_t window; /* that got the last text; 0: not known */
} Desktop;

/* Terminals of sessions have lines of their own, whose shell is known to be one: there everything
 * counts, as in a command. Their names begin with a new line, which no desktop's does. */
struct HfTypedLines {
    GMutex lock;
    GHashTable *desktops; /* name → Desktop */
};

static void desktop_free(gpointer data)
{
    Desktop *desktop = data;
    hf_typed_line_free(desktop->line);
    g_free(desktop);
}

HfTypedLines *hf_typed_lines_new(void)
{
    HfTypedLines *prompts = g_new0(HfTypedLines, 1);
    g_mutex_init(&prompts->lock);
    prompts->desktops = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, desktop_free);
    return prompts;
}

void hf_typed_lines_free(HfTypedLines *prompts)
{
    if (!prompts)
        return;
    g_hash_table_unref(prompts->desktops);
    g_mutex_clear(&prompts->lock);
    g_free(prompts);
}

/* With the lock held. */
static Desktop *ensure_desktop(HfTypedLines *prompts, const char *name)
{
    Desktop *desktop = g_hash_table_lookup(prompts->desktops, name);
    if (!desktop) {
        desktop = g_new0(Desktop, 1);
        desktop->line = hf_typed_line_new();
        g_hash_table_insert(prompts->desktops, g_strdup(name), desktop);
    }
    return desktop;
}

static gboolean is_about_terminals(HfMeans means)
{
    return means == HF_MEANS_TERMINAL || means == HF_MEANS_TERMINAL_KEYS;
}

static gboolean is_about_lines(HfMeans means)
{
    return means == HF_MEANS_TYPED || means == HF_MEANS_KEYS || means == HF_MEANS_COPIED ||
           is_about_terminals(means);
}

/* The call's parameter that changes the line; NULL: none does. */
static const HfParam *find_line_param(const HfPassage *passage)
{
    for (const HfParam *param = passage->tool->params; param && param->name; param++)
        if (is_about_lines(param->means) && json_object_get(passage->params, param->name))
            return param;
    return NULL;
}

/* Whose line it is. A session that is not named is one and the same. */
static char *dup_place(const HfPassage *passage, const HfParam *param)
{
    if (!is_about_terminals(param->means))
        return g_strdup(passage->desktop);
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    return g_strdup_printf("\n%s\n%s\n%s", passage->desktop, caller,
                           hf_json_string(passage->params, "session_id", ""));
}

static GArray *dup_keys(const json_t *value)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    size_t index;
    json_t *member;
    if (json_is_string(value))
        g_ptr_array_add(names, (char *)json_string_value(value));
    json_array_foreach (value, index, member)
        if (json_is_string(member))
            g_ptr_array_add(names, (char *)json_string_value(member));
    g_ptr_array_add(names, NULL);
    GArray *keys = hf_keys_parse_any((const char *const *)names->pdata, NULL);
    return keys ? keys : g_array_new(FALSE, FALSE, sizeof(guint32));
}

/* Keys of a terminal, one after the other; adds to `ended` what they would run, unless it is NULL.
 */
static void press_in_turn(HfTypedLine *line, const json_t *value, GPtrArray *ended)
{
    size_t index;
    json_t *name;
    json_array_foreach (value, index, name) {
        g_autoptr(GArray) keys = dup_keys(name);
        g_autoptr(GPtrArray) more = ended ? hf_typed_line_if_pressed(line, keys) : NULL;
        for (guint i = 0; more && i < more->len; i++)
            g_ptr_array_add(ended, g_strdup(more->pdata[i]));
        hf_typed_line_press(line, keys, 1);
    }
}

static GPtrArray *if_done(const HfTypedLine *line, HfMeans means, const json_t *value)
{
    if (means == HF_MEANS_TYPED || means == HF_MEANS_TERMINAL)
        return hf_typed_line_if_typed(line, json_string_value(value));
    if (means == HF_MEANS_KEYS) {
        g_autoptr(GArray) keys = dup_keys(value);
        return hf_typed_line_if_pressed(line, keys);
    }
    GPtrArray *ended = g_ptr_array_new_with_free_func(g_free);
    if (means == HF_MEANS_TERMINAL_KEYS) {
        g_autoptr(HfTypedLine) then = hf_typed_line_dup(line);
        press_in_turn(then, value, ended);
    }
    return ended;
}

/* What the call would run now; `ret_changes` names the moment. */
static GPtrArray *find_ended(const HfPassage *passage, guint64 *ret_changes, gboolean *ret_too_long)
{
    HfTypedLines *prompts = passage->guard->prompts;
    const HfParam *param = find_line_param(passage);
    const json_t *value = json_object_get(passage->params, param->name);
    g_autofree char *place = dup_place(passage, param);
    g_autoptr(HfTypedLine) none = hf_typed_line_new();
    g_mutex_lock(&prompts->lock);
    const Desktop *desktop = g_hash_table_lookup(prompts->desktops, place);
    const HfTypedLine *line = passage->typed.ahead ? passage->typed.ahead
                              : desktop            ? desktop->line
                                                   : none;
    GPtrArray *ended = if_done(line, param->means, value);
    *ret_changes = desktop ? desktop->changes : 0;
    *ret_too_long = ended->len > 0 && hf_typed_line_is_too_long(line);
    g_mutex_unlock(&prompts->lock);
    return ended;
}

static gboolean has_rule(const HfRiskAssessment *weight, const char *id)
{
    size_t index;
    json_t *rule;
    json_array_foreach (weight->rules, index, rule)
        if (g_str_equal(hf_json_string(rule, "id", ""), id))
            return TRUE;
    return FALSE;
}

static void add_typed_rule(HfRiskAssessment *weight, HfRisk risk, json_t *take_rule)
{
    weight->risk = MAX(weight->risk, risk);
    if (!weight->rules)
        weight->rules = json_array();
    json_array_append_new(weight->rules, take_rule);
}

/* All that a shell would make of it: a shell it is. */
static void judge_command(const HfRules *rules, const char *text, HfRiskAssessment *weight)
{
    g_auto(HfRiskAssessment) command = {0};
    size_t index;
    json_t *rule;
    hf_rules_assess_command(rules, text, &command);
    weight->risk = MAX(weight->risk, command.risk);
    weight->ask_always |= command.ask_always;
    if (command.block && !weight->block) {
        weight->block = command.block;
        weight->message = command.message;
    }
    json_array_foreach (command.rules, index, rule) {
        json_object_del(rule, "what"); /* typed text is secret: rules are kept */
        if (!has_rule(weight, hf_json_string(rule, "id", "")))
            add_typed_rule(weight, command.risk, json_incref(rule));
    }
}

/* Of what a shell would make of it, only what is critical. */
static void assess_typed_command(const HfRules *rules, const char *text, HfRiskAssessment *weight)
{
    g_auto(HfRiskAssessment) command = {0};
    size_t index;
    json_t *rule;
    hf_rules_assess_command(rules, text, &command);
    json_array_foreach (command.rules, index, rule) {
        const char *risk = hf_json_string(rule, "risk", "");
        if ((strcmp(risk, "critical") != 0 && strcmp(risk, "block") != 0) ||
            has_rule(weight, hf_json_string(rule, "id", "")))
            continue;
        json_object_set_new(rule, "risk", json_string("critical"));
        json_object_del(rule, "what"); /* typed text is secret: rules are kept */
        add_typed_rule(weight, HF_RISK_CRITICAL, json_incref(rule));
    }
}

static guint64 judge_now(const HfPassage *passage, const HfRules *rules, HfRiskAssessment *weight,
                         char **ret_line)
{
    guint64 changes;
    gboolean too_long;
    gboolean terminal = is_about_terminals(find_line_param(passage)->means);
    g_autoptr(GPtrArray) ended = find_ended(passage, &changes, &too_long);
    for (guint i = 0; i < ended->len; i++)
        (terminal ? judge_command : assess_typed_command)(rules, ended->pdata[i], weight);
    if (too_long)
        add_typed_rule(weight, HF_RISK_HIGH,
                       json_pack("{s:s, s:s, s:s}", "id", "typed.long-line", "message",
                                 "Ends a line that is too long to be judged", "risk", "high"));
    if (ret_line && ended->len > 0)
        *ret_line = g_strdup(ended->pdata[0]);
    return changes;
}

void hf_typed_lines_assess(HfPassage *passage, const HfRules *rules, HfRiskAssessment *weight)
{
    if (!find_line_param(passage))
        return;
    g_auto(HfRiskAssessment) found = {0};
    g_autofree char *line = NULL;
    passage->typed.changes = judge_now(passage, rules, &found, &line);
    size_t index;
    json_t *rule;
    json_array_foreach (found.rules, index, rule)
        add_typed_rule(weight, found.risk, json_incref(rule));
    weight->ask_always |= found.ask_always;
    if (found.block && !weight->block) {
        weight->block = found.block;
        weight->message = found.message;
    }
    if (found.rules || (line && is_about_terminals(find_line_param(passage)->means)))
        passage->typed.line = g_steal_pointer(&line);
}

static gboolean fail_other_line(const HfRiskAssessment *weight, GError **error)
{
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "what was typed on this desktop since makes this call another one (rule %s); nothing "
            "was done",
            hf_json_string(json_array_get(weight->rules, 0), "id", "?"));
    hf_error_suggest(error, "send it again: it is weighed anew, with all that was typed");
    return FALSE;
}

/* Nothing of the call can have reached a window. */
static gboolean nothing_happened(const GError *error)
{
    switch (error ? hf_error_code(error) : HF_ERROR_INTERNAL) {
    case HF_ERROR_DESKTOP_NOT_FOUND:
    case HF_ERROR_DESKTOP_UNAVAILABLE:
    case HF_ERROR_INVALID_PARAMS:
    case HF_ERROR_LOCKED:
    case HF_ERROR_APP_NOT_ALLOWED:
        return TRUE;
    default:
        return FALSE;
    }
}

/* The window that got the text, where a tool tells. */
static json_int_t result_window_of(const HfPassage *passage)
{
    const HfResult *result = passage->answer->result;
    return hf_json_int(result ? json_object_get(result->json, "window") : NULL, "id", 0);
}

static void change_terminal(HfTypedLine *line, const HfParam *param, const json_t *value)
{
    if (param->means == HF_MEANS_TERMINAL && json_is_string(value))
        hf_typed_line_type(line, json_string_value(value));
    else
        press_in_turn(line, value, NULL);
}

/* With the lock held. What failed half-way may have ended the line or not: it stays, and a new
 * piece begins. */
static void apply_call_to_line(const HfPassage *passage, const HfParam *param, Desktop *desktop)
{
    HfTypedLine *line = desktop->line;
    json_int_t window = passage->typed.ahead ? 0 : result_window_of(passage);
    const json_t *value = json_object_get(passage->params, param->name);
    const char *text = json_string_value(value);
    if (is_about_terminals(param->means)) {
        change_terminal(line, param, value);
        return;
    }
    if (param->means == HF_MEANS_COPIED && text && !passage->answer->error)
        hf_typed_line_copy(line, text);
    if (param->means == HF_MEANS_COPIED)
        return;
    if (passage->answer->error) {
        hf_typed_line_mark_uncertain(line);
        if (param->means == HF_MEANS_TYPED && text && !strpbrk(text, "\r\n"))
            hf_typed_line_type(line, text);
        return;
    }
    g_autoptr(GArray) keys = param->means == HF_MEANS_KEYS ? dup_keys(value) : NULL;
    if (keys)
        hf_typed_line_press(line, keys, (guint)hf_json_int(passage->params, "repeat", 1));
    if (keys)
        return;
    if (desktop->window != window)
        hf_typed_line_mark_uncertain(line);
    desktop->window = window;
    if (text)
        hf_typed_line_type(line, text);
}

/* A terminal has no turns: what is typed there is in its line before it is on its way, and only if
 * nobody else's came in between. FALSE: it did. */
static gboolean reserve_line(HfPassage *passage, const HfParam *param)
{
    HfTypedLines *prompts = passage->guard->prompts;
    g_autofree char *place = dup_place(passage, param);
    g_mutex_lock(&prompts->lock);
    Desktop *desktop = ensure_desktop(prompts, place);
    gboolean same = desktop->changes == passage->typed.changes;
    if (same)
        change_terminal(desktop->line, param, json_object_get(passage->params, param->name));
    desktop->changes += same;
    g_mutex_unlock(&prompts->lock);
    return same;
}

gboolean hf_prompts_check_line(HfPassage *passage, GError **error)
{
    const HfParam *param = find_line_param(passage);
    if (!param)
        return TRUE;
    gboolean terminal = is_about_terminals(param->means);
    g_autoptr(HfRules) rules = hf_live_rules_get(passage->guard->rulebook, passage->config, NULL);
    do {
        g_auto(HfRiskAssessment) weight = {0};
        guint64 changes = judge_now(passage, rules, &weight, NULL);
        if (changes != passage->typed.changes && weight.rules)
            return fail_other_line(&weight, error);
        passage->typed.changes = changes;
    } while (terminal && !reserve_line(passage, param));
    return TRUE;
}

/* Any other input may have gone to another window. */
static gboolean moves_on(const HfPassage *passage)
{
    return passage->tool->needs == HF_NEEDS_INPUT && !(passage->tool->flags & HF_TOOL_READ_ONLY);
}

/* What was to be typed in a session that is not there is nowhere. */
static void forget_terminal(HfPassage *passage, const HfParam *param)
{
    HfTypedLines *prompts = passage->guard->prompts;
    const GError *error = passage->answer->error;
    if (!passage->performed || !error || hf_error_code(error) != HF_ERROR_SESSION_NOT_FOUND)
        return;
    g_autofree char *place = dup_place(passage, param);
    g_mutex_lock(&prompts->lock);
    g_hash_table_remove(prompts->desktops, place);
    g_mutex_unlock(&prompts->lock);
}

void hf_prompts_record(HfPassage *passage)
{
    HfTypedLines *prompts = passage->guard->prompts;
    if (passage->tool && passage->params && find_line_param(passage) &&
        is_about_terminals(find_line_param(passage)->means)) {
        forget_terminal(passage, find_line_param(passage)); /* the rest was done before */
        return;
    }
    if (!passage->performed || passage->dry_run || passage->tool->service ||
        (passage->answer->error && nothing_happened(passage->answer->error)))
        return;
    const HfParam *param = find_line_param(passage);
    if (!param && !moves_on(passage))
        return;
    g_mutex_lock(&prompts->lock);
    Desktop *desktop = ensure_desktop(prompts, passage->desktop);
    if (param)
        apply_call_to_line(passage, param, desktop);
    else
        hf_typed_line_mark_uncertain(desktop->line);
    desktop->changes++;
    g_mutex_unlock(&prompts->lock);
}

HfTypedLine *hf_typed_lines_dup_line(HfTypedLines *prompts, const char *name)
{
    g_mutex_lock(&prompts->lock);
    const Desktop *desktop = g_hash_table_lookup(prompts->desktops, name);
    HfTypedLine *line = desktop ? hf_typed_line_dup(desktop->line) : hf_typed_line_new();
    g_mutex_unlock(&prompts->lock);
    return line;
}

/* All of it goes to one window, as far as is known: then it is one line. */
void hf_typed_lines_apply_ahead(HfPassage *passage)
{
    const HfParam *param = find_line_param(passage);
    Desktop imagined = {.line = passage->typed.ahead};
    if (param)
        apply_call_to_line(passage, param, &imagined);
    else if (moves_on(passage))
        hf_typed_line_mark_uncertain(imagined.line);
}
