/* SPDX-License-Identifier: Apache-2.0 */
/* Only tells the forms apart; the page itself rejects malformed CSS. */
#include "hand/browser/page/page-query.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/text/text.h"

static const char *skip_space(const char *at)
{
    while (g_ascii_isspace(*at))
        at++;
    return at;
}

/* A quoted text with \" and \\; moves `at` behind it. NULL: not quoted, or not closed. */
static char *read_quoted_name(const char **at)
{
    const char quote = **at;
    if (quote != '"' && quote != '\'')
        return NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    for (const char *next = *at + 1; *next; next++) {
        if (*next == quote) {
            *at = next + 1;
            return g_string_free(g_steal_pointer(&text), FALSE);
        }
        if (*next == '\\' && next[1])
            next++;
        g_string_append_c(text, *next);
    }
    return NULL;
}

static gboolean fail_page_selector(const char *selector, const char *why, GError **error)
{
    g_autofree char *shown = hf_text_shorten(selector, 200);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "selector '%s': %s", shown, why);
    hf_error_suggest(error, "use CSS, text=Save, role=button[name=\"Save\"], button \"Save\", or a "
                            "reference such as r12; see docs/browser.md");
    return FALSE;
}

static json_t *parse_reference(const char *text)
{
    guint64 number = 0;
    if (text[0] != 'r' || !g_ascii_isdigit(text[1]))
        return NULL;
    for (const char *at = text + 1; *at; at++) {
        if (!g_ascii_isdigit(*at) || number > G_MAXINT32)
            return NULL;
        number = number * 10 + (guint64)(*at - '0');
    }
    return json_pack("{s:I}", "ref", (json_int_t)number);
}

static json_t *parse_text(const char *selector, const char *text, GError **error)
{
    const char *at = skip_space(text);
    g_autofree char *quoted = read_quoted_name(&at);
    if (quoted && *skip_space(at) == '\0')
        return json_pack("{s:o, s:b}", "text", hf_json_text(quoted), "exact", 1);
    if (*skip_space(text) == '\0' || *text == '"')
        return fail_page_selector(selector, "the text is missing, or its quotes are not closed",
                                  error),
               NULL;
    g_autofree char *plain = g_strstrip(g_strdup(text));
    return json_pack("{s:o, s:b}", "text", hf_json_text(plain), "exact", 0);
}

/* role=button, role=button[name="Save"], role=button[name=Save] */
static json_t *parse_role_query(const char *selector, const char *text, GError **error)
{
    gsize length = strspn(text, "abcdefghijklmnopqrstuvwxyz-_ ");
    g_autofree char *role = g_strstrip(g_strndup(text, length));
    const char *at = skip_space(text + length);
    if (!*role)
        return fail_page_selector(selector, "the role is missing", error), NULL;
    if (!*at)
        return json_pack("{s:s}", "role", role);
    if (!g_str_has_prefix(at, "[name=") || at[strlen(at) - 1] != ']')
        return fail_page_selector(selector, "only [name=\"...\"] can follow the role", error), NULL;
    at += strlen("[name=");
    g_autofree char *plain = g_strndup(at, strlen(at) - 1);
    g_autofree char *name = read_quoted_name(&at);
    gboolean quoted = name && g_str_equal(at, "]");
    if (!quoted && (*plain == '"' || *plain == '\''))
        return fail_page_selector(selector, "the quotes of the name are not closed", error), NULL;
    return json_pack("{s:s, s:o, s:b}", "role", role, "name", hf_json_text(quoted ? name : plain),
                     "exact", quoted);
}

/* button "Save", check box "Agree" */
static json_t *parse_named(const char *text)
{
    gsize length = strspn(text, "abcdefghijklmnopqrstuvwxyz-_ ");
    const char *at = text + length;
    if (length < 2 || text[length - 1] != ' ' || !g_ascii_islower(text[0]))
        return NULL;
    g_autofree char *role = g_strstrip(g_strndup(text, length));
    g_autofree char *name = *at == '"' ? read_quoted_name(&at) : NULL;
    if (!name || *skip_space(at))
        return NULL;
    return json_pack("{s:s, s:o, s:b}", "role", role, "name", hf_json_text(name), "exact", 1);
}

/* Visible text differs from tag names: it has capitals, spaces or other characters, and nothing
 * that only CSS has. */
static gboolean reads_like_text(const char *text)
{
    gboolean other = FALSE;
    for (const char *at = text; *at; at++) {
        if (strchr("#.[]>:*+~=(){}", *at))
            return FALSE;
        other |= !g_ascii_islower(*at) && !g_ascii_isdigit(*at);
    }
    return other;
}

json_t *hf_page_query_parse(const char *selector, GError **error)
{
    g_autofree char *text = g_strstrip(g_strdup(selector));
    if (!*text || !g_utf8_validate(text, -1, NULL))
        return fail_page_selector(selector, "it is empty or not valid UTF-8", error), NULL;
    if (g_str_has_prefix(text, "text="))
        return parse_text(selector, text + strlen("text="), error);
    if (g_str_has_prefix(text, "role="))
        return parse_role_query(selector, text + strlen("role="), error);
    if (g_str_has_prefix(text, "css="))
        return json_pack("{s:o}", "css", hf_json_text(text + strlen("css=")));
    if (text[0] == '"')
        return parse_text(selector, text, error);
    json_t *query = parse_reference(text);
    if (!query)
        query = parse_named(text);
    if (!query)
        query =
            json_pack("{s:o, s:b}", "css", hf_json_text(text), "or_text", reads_like_text(text));
    return query;
}
