/* SPDX-License-Identifier: Apache-2.0 */
/* A selector as its short form, always in the same order: for messages, and for tests that read it
 * back. */
#include "hand/atspi/selector/selector.h"

#include "hand/atspi/tree/states.h"

static void append_quoted_text(GString *text, const char *what)
{
    g_string_append_c(text, '"');
    for (const char *at = what; *at; at++) {
        if (*at == '"' || *at == '\\')
            g_string_append_c(text, '\\');
        g_string_append_c(text, *at);
    }
    g_string_append_c(text, '"');
}

static void write_regex(GString *text, const char *pattern)
{
    g_string_append(text, "~/");
    for (const char *at = pattern; *at; at++) {
        if (*at == '/')
            g_string_append_c(text, '\\');
        g_string_append_c(text, *at);
        if (*at == '\\' && at[1])
            g_string_append_c(text, *++at);
    }
    g_string_append_c(text, '/');
}

static void write_test(GString *text, const HfTextCondition *test)
{
    if (test->how == HF_TEXT_REGEX) {
        write_regex(text, test->text);
        return;
    }
    if (test->how == HF_TEXT_EQUALS)
        g_string_append_c(text, '=');
    if (test->how == HF_TEXT_CONTAINS)
        g_string_append(text, "*=");
    append_quoted_text(text, test->text);
}

/* "text" before a quote would be read as the text on the screen. */
static gboolean reads_as_field(const char *role)
{
    return g_strcmp0(role, "text") == 0;
}

static void write_texts(GString *text, const HfSelector *selector)
{
    gboolean bare = !reads_as_field(selector->role);
    for (int field = 0; field < HF_FIELD_COUNT; field++) {
        if (selector->texts[field].how == HF_TEXT_NO_CONDITION)
            continue;
        if (text->len > 0)
            g_string_append_c(text, ' ');
        g_string_append(text, bare && field == HF_FIELD_NAME ? "" : hf_text_field_name(field));
        write_test(text, &selector->texts[field]);
    }
}

static void write_path(GString *text, const GPtrArray *path)
{
    g_autoptr(GString) names = g_string_new("");
    for (guint i = 0; path && i < path->len; i++)
        g_string_append_printf(names, "%s%s", i ? " > " : "",
                               ((const HfTextCondition *)path->pdata[i])->text);
    if (!path)
        return;
    g_string_append(text, text->len ? " path " : "path ");
    append_quoted_text(text, names->str);
}

static void write_nested_selector(GString *text, const char *clause, const HfSelector *part)
{
    g_autofree char *inner = hf_selector_to_text(part);
    g_string_append_printf(text, "%s%s (%s)", text->len ? " " : "", clause, inner);
}

static void write_near(GString *text, const HfSelector *selector)
{
    static const char *const clauses[] = {"near", "left of", "right of", "above", "below"};
    if (!selector->near)
        return;
    write_nested_selector(text, clauses[selector->direction], selector->near);
    if (selector->distance)
        g_string_append_printf(text, " within %d", selector->distance);
}

static void write_asked(GString *text, HfTristate asked, const char *word)
{
    if (asked != HF_TRISTATE_UNSET)
        g_string_append_printf(text, "%s%s%s", text->len ? " " : "",
                               asked == HF_TRISTATE_NO ? "not " : "", word);
}

static void write_states(GString *text, const HfSelector *selector)
{
    write_asked(text, selector->enabled, "enabled");
    write_asked(text, selector->visible, "visible");
    for (int state = 0; state < HF_STATE_COUNT; state++) {
        if (hf_states_have(selector->with_states, state))
            write_asked(text, HF_TRISTATE_YES, hf_state_name(state));
        if (hf_states_have(selector->without_states, state))
            write_asked(text, HF_TRISTATE_NO, hf_state_name(state));
    }
}

char *hf_selector_to_text(const HfSelector *selector)
{
    g_autoptr(GString) text = g_string_new(reads_as_field(selector->role) ? "role " : "");
    g_string_append(text, selector->role ? selector->role : "");
    if (selector->ref && selector->snapshot)
        return g_strdup_printf("s%u/e%u", selector->snapshot, selector->ref);
    if (selector->ref)
        return g_strdup_printf("e%u", selector->ref);
    write_texts(text, selector);
    write_path(text, selector->path);
    if (!hf_rect_is_empty(selector->rect))
        g_string_append_printf(text, "%srect %d,%d,%d,%d", text->len ? " " : "", selector->rect.x,
                               selector->rect.y, selector->rect.width, selector->rect.height);
    write_near(text, selector);
    if (selector->in)
        write_nested_selector(text, "in", selector->in);
    write_states(text, selector);
    if (selector->nth)
        g_string_append_printf(text, "%snth %d", text->len ? " " : "", selector->nth);
    return g_string_free(g_steal_pointer(&text), FALSE);
}
