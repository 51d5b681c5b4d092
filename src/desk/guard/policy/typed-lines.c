/* SPDX-License-Identifier: Apache-2.0 */
/* One line per desktop; a change of window, where known, begins a new piece. The program of a
 * window does not matter: the judgement must not depend on what a window claims to be. The line is
 * read when a call is judged, read again when the call has its turn, and changed before it gives
 * the turn back, so that no other call comes in between. */
#include "desk/guard/policy/typed-lines.h"

#include <string.h>

#include "desk/guard/policy/live-rules.h"
#include "desk/guard/policy/typed-line.h"
#include "shared/base/error.h"
#include "shared/text/key-names.h"

typedef struct Desktop {
    HfTypedLine *line;
    guint64 changes;
    json_int_t window; /* that got the last text; 0: unknown */
} Desktop;

/* Terminals of sessions have lines of their own. Their program is a shell for certain, so
 * everything counts there, as in a command. Their keys begin with a newline, which no desktop's
 * name does. */
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
    HfTypedLines *lines = g_new0(HfTypedLines, 1);
    g_mutex_init(&lines->lock);
    lines->desktops = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, desktop_free);
    return lines;
}

void hf_typed_lines_free(HfTypedLines *lines)
{
    if (!lines)
        return;
    g_hash_table_unref(lines->desktops);
    g_mutex_clear(&lines->lock);
    g_free(lines);
}

/* With the lock held. */
static Desktop *ensure_desktop(HfTypedLines *lines, const char *name)
{
    Desktop *desktop = g_hash_table_lookup(lines->desktops, name);
    if (!desktop) {
        desktop = g_new0(Desktop, 1);
        desktop->line = hf_typed_line_new();
        g_hash_table_insert(lines->desktops, g_strdup(name), desktop);
    }
    return desktop;
}

static gboolean is_about_terminals(HfMeans means)
{
    return means == HF_MEANS_TERMINAL || means == HF_MEANS_TERMINAL_KEYS;
}

/* The parameter that changes the line; NULL: none. */
static const HfParam *find_line_param(const HfPassage *passage)
{
    for (const HfParam *param = passage->tool->params; param && param->name; param++)
        if ((param->means == HF_MEANS_TYPED || param->means == HF_MEANS_KEYS ||
             param->means == HF_MEANS_COPIED || is_about_terminals(param->means)) &&
            json_object_get(passage->params, param->name))
            return param;
    return NULL;
}

/* The key of the line. All calls without a session id share one session. */
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
    if (json_is_string(value))
        g_ptr_array_add(names, (char *)json_string_value(value));
    hf_json_each (member, value)
        if (json_is_string(member))
            g_ptr_array_add(names, (char *)json_string_value(member));
    g_ptr_array_add(names, NULL);
    GArray *keys = hf_keys_parse_any((const char *const *)names->pdata, NULL);
    return keys ? keys : g_array_new(FALSE, FALSE, sizeof(guint32));
}

/* Presses keys one after the other, and adds what they would run to `ended` unless that is NULL. */
static void press_in_turn(HfTypedLine *line, const json_t *value, GPtrArray *ended)
{
    hf_json_each (name, value) {
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

/* What the call would run now, and the line's change count. */
static GPtrArray *find_ended(const HfPassage *passage, guint64 *ret_changes, gboolean *ret_too_long)
{
    HfTypedLines *lines = passage->guard->typed_lines;
    const HfParam *param = find_line_param(passage);
    const json_t *value = json_object_get(passage->params, param->name);
    g_autofree char *place = dup_place(passage, param);
    g_autoptr(HfTypedLine) none = hf_typed_line_new();
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lines->lock);
    const Desktop *desktop = g_hash_table_lookup(lines->desktops, place);
    const HfTypedLine *line = passage->typed.ahead ? passage->typed.ahead
                              : desktop            ? desktop->line
                                                   : none;
    GPtrArray *ended = if_done(line, param->means, value);
    *ret_changes = desktop ? desktop->changes : 0;
    *ret_too_long = ended->len > 0 && hf_typed_line_is_too_long(line);
    return ended;
}

static gboolean has_rule(const HfRiskAssessment *assessment, const char *id)
{
    hf_json_each (rule, assessment->rules)
        if (g_str_equal(hf_json_string(rule, "id", ""), id))
            return TRUE;
    return FALSE;
}

static void add_typed_rule(HfRiskAssessment *assessment, HfRisk risk, json_t *take_rule)
{
    assessment->risk = MAX(assessment->risk, risk);
    if (!assessment->rules)
        assessment->rules = json_array();
    json_array_append_new(assessment->rules, take_rule);
}

/* For a terminal, which runs a shell: all rules count. */
static void assess_terminal_command(const HfRules *rules, const char *text,
                                    HfRiskAssessment *assessment)
{
    g_auto(HfRiskAssessment) command = {0};
    hf_rules_assess_command(rules, text, &command);
    assessment->risk = MAX(assessment->risk, command.risk);
    assessment->ask_always |= command.ask_always;
    if (command.block && !assessment->block) {
        assessment->block = command.block;
        assessment->message = command.message;
    }
    hf_json_each (rule, command.rules) {
        json_object_del(rule, "what"); /* typed text may be secret, and rules are stored */
        if (!has_rule(assessment, hf_json_string(rule, "id", "")))
            add_typed_rule(assessment, command.risk, json_incref(rule));
    }
}

/* For any other window: only commands that are certainly critical count. */
static void assess_typed_command(const HfRules *rules, const char *text,
                                 HfRiskAssessment *assessment)
{
    g_auto(HfRiskAssessment) command = {.certain_only = TRUE};
    hf_rules_assess_command(rules, text, &command);
    hf_json_each (rule, command.rules) {
        const char *risk = hf_json_string(rule, "risk", "");
        if ((strcmp(risk, "critical") != 0 && strcmp(risk, "block") != 0) ||
            has_rule(assessment, hf_json_string(rule, "id", "")))
            continue;
        json_object_set_new(rule, "risk", json_string("critical"));
        json_object_del(rule, "what"); /* typed text may be secret, and rules are stored */
        add_typed_rule(assessment, HF_RISK_CRITICAL, json_incref(rule));
    }
}

static guint64 assess_line_now(const HfPassage *passage, const HfRules *rules,
                               HfRiskAssessment *assessment, char **ret_line)
{
    guint64 changes;
    gboolean too_long;
    gboolean terminal = is_about_terminals(find_line_param(passage)->means);
    g_autoptr(GPtrArray) ended = find_ended(passage, &changes, &too_long);
    for (guint i = 0; i < ended->len; i++)
        (terminal ? assess_terminal_command : assess_typed_command)(rules, ended->pdata[i],
                                                                    assessment);
    if (too_long)
        add_typed_rule(assessment, HF_RISK_HIGH,
                       json_pack("{s:s, s:s, s:s}", "id", "typed.long-line", "message",
                                 "Ends a line that is too long to be judged", "risk", "high"));
    if (ret_line && ended->len > 0)
        *ret_line = g_strdup(ended->pdata[0]);
    return changes;
}

void hf_typed_lines_assess(HfPassage *passage, const HfRules *rules, HfRiskAssessment *assessment)
{
    if (!find_line_param(passage))
        return;
    g_auto(HfRiskAssessment) found = {0};
    g_autofree char *line = NULL;
    passage->typed.changes = assess_line_now(passage, rules, &found, &line);
    hf_json_each (rule, found.rules)
        add_typed_rule(assessment, found.risk, json_incref(rule));
    assessment->ask_always |= found.ask_always;
    if (found.block && !assessment->block) {
        assessment->block = found.block;
        assessment->message = found.message;
    }
    if (found.rules || (line && is_about_terminals(find_line_param(passage)->means)))
        passage->typed.line = g_steal_pointer(&line);
}

static gboolean fail_other_line(const HfRiskAssessment *assessment, GError **error)
{
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "other text was typed on this desktop meanwhile, and Enter would now run something "
            "dangerous (rule %s); nothing was done",
            hf_json_string(json_array_get(assessment->rules, 0), "id", "?"));
    hf_error_suggest(error,
                     "send the call again: it is judged anew, with everything that was typed");
    return FALSE;
}

/* Whether the call cannot have reached a window. */
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

static void change_terminal(HfTypedLine *line, const HfParam *param, const json_t *value)
{
    if (param->means == HF_MEANS_TERMINAL && json_is_string(value))
        hf_typed_line_type(line, json_string_value(value));
    else
        press_in_turn(line, value, NULL);
}

/* With the lock held. A call that failed half-way may or may not have ended the line: the line
 * stays, and a new piece begins. */
static void apply_call_to_line(const HfPassage *passage, const HfParam *param, Desktop *desktop)
{
    HfTypedLine *line = desktop->line;
    const HfResult *result = passage->typed.ahead ? NULL : passage->answer->result;
    json_int_t window = result ? hf_json_int(json_object_get(result->json, "window"), "id", 0) : 0;
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

/* A terminal has no turns, so its line is changed before the text is sent. FALSE: another call
 * changed it first. */
static gboolean reserve_line(HfPassage *passage, const HfParam *param)
{
    HfTypedLines *lines = passage->guard->typed_lines;
    g_autofree char *place = dup_place(passage, param);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lines->lock);
    Desktop *desktop = ensure_desktop(lines, place);
    gboolean same = desktop->changes == passage->typed.changes;
    if (same)
        change_terminal(desktop->line, param, json_object_get(passage->params, param->name));
    desktop->changes += same;
    return same;
}

gboolean hf_typed_lines_recheck(HfPassage *passage, GError **error)
{
    const HfParam *param = find_line_param(passage);
    if (!param)
        return TRUE;
    gboolean terminal = is_about_terminals(param->means);
    g_autoptr(HfRules) rules = hf_live_rules_get(passage->guard->live_rules, passage->config, NULL);
    do {
        g_auto(HfRiskAssessment) assessment = {0};
        guint64 changes = assess_line_now(passage, rules, &assessment, NULL);
        if (changes != passage->typed.changes && assessment.rules)
            return fail_other_line(&assessment, error);
        passage->typed.changes = changes;
    } while (terminal && !reserve_line(passage, param));
    return TRUE;
}

/* Other input may have moved the focus. */
static gboolean moves_on(const HfPassage *passage)
{
    return passage->tool->needs == HF_NEEDS_INPUT && !(passage->tool->flags & HF_TOOL_READ_ONLY);
}

/* A session that does not exist has no line. */
static void forget_terminal(HfPassage *passage, const HfParam *param)
{
    HfTypedLines *lines = passage->guard->typed_lines;
    const GError *error = passage->answer->error;
    if (!passage->performed || !error || hf_error_code(error) != HF_ERROR_SESSION_NOT_FOUND)
        return;
    g_autofree char *place = dup_place(passage, param);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lines->lock);
    g_hash_table_remove(lines->desktops, place);
}

void hf_typed_lines_record(HfPassage *passage)
{
    HfTypedLines *lines = passage->guard->typed_lines;
    if (passage->tool && passage->params && find_line_param(passage) &&
        is_about_terminals(find_line_param(passage)->means)) {
        forget_terminal(passage,
                        find_line_param(passage)); /* the recheck has changed the line already */
        return;
    }
    if (!passage->performed || passage->dry_run || passage->tool->service ||
        (passage->answer->error && nothing_happened(passage->answer->error)))
        return;
    const HfParam *param = find_line_param(passage);
    if (!param && !moves_on(passage))
        return;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lines->lock);
    Desktop *desktop = ensure_desktop(lines, passage->desktop);
    if (param)
        apply_call_to_line(passage, param, desktop);
    else
        hf_typed_line_mark_uncertain(desktop->line);
    desktop->changes++;
}

HfTypedLine *hf_typed_lines_dup_line(HfTypedLines *lines, const char *name)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lines->lock);
    const Desktop *desktop = g_hash_table_lookup(lines->desktops, name);
    return desktop ? hf_typed_line_dup(desktop->line) : hf_typed_line_new();
}

/* Assumes that everything goes to one window. */
void hf_typed_lines_apply_ahead(HfPassage *passage)
{
    const HfParam *param = find_line_param(passage);
    Desktop imagined = {.line = passage->typed.ahead};
    if (param)
        apply_call_to_line(passage, param, &imagined);
    else if (moves_on(passage))
        hf_typed_line_mark_uncertain(imagined.line);
}
