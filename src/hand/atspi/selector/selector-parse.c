/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the short form of a selector by recursive descent; docs/selectors.md has the grammar.
 * Input without any of the grammar's signs that does not parse is taken for text on the screen. */
#include "hand/atspi/selector/selector-build.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/selector/selector-lexer.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

typedef struct Parser {
    HfLexer lexer;
    int depth;
} Parser;

static void parser_clear(Parser *parser)
{
    hf_lexer_clear(&parser->lexer);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Parser, parser_clear)

/* Signs that show that the grammar is meant. */
static const char *const signs[] = {"\"", "\u201c", "\u300c", "~", "=", "(", ")", NULL};

typedef enum Clause {
    CLAUSE_NONE,
    CLAUSE_NEAR,
    CLAUSE_LEFT,
    CLAUSE_RIGHT,
    CLAUSE_ABOVE,
    CLAUSE_BELOW,
    CLAUSE_IN,
    CLAUSE_NTH,
    CLAUSE_WITHIN,
    CLAUSE_RECT,
    CLAUSE_ROLE,
    CLAUSE_PATH,
    CLAUSE_NOT,
} Clause;

typedef struct Word {
    const char *word;
    int meaning;
} Word;

static const Word clauses[] = {
    {"near", CLAUSE_NEAR},     {"靠近", CLAUSE_NEAR},   {"附近", CLAUSE_NEAR},
    {"left", CLAUSE_LEFT},     {"左边", CLAUSE_LEFT},   {"左侧", CLAUSE_LEFT},
    {"right", CLAUSE_RIGHT},   {"右边", CLAUSE_RIGHT},  {"右侧", CLAUSE_RIGHT},
    {"above", CLAUSE_ABOVE},   {"上方", CLAUSE_ABOVE},  {"上面", CLAUSE_ABOVE},
    {"below", CLAUSE_BELOW},   {"下方", CLAUSE_BELOW},  {"下面", CLAUSE_BELOW},
    {"in", CLAUSE_IN},         {"inside", CLAUSE_IN},   {"在", CLAUSE_IN},
    {"位于", CLAUSE_IN},       {"nth", CLAUSE_NTH},     {"第", CLAUSE_NTH},
    {"within", CLAUSE_WITHIN}, {"以内", CLAUSE_WITHIN}, {"rect", CLAUSE_RECT},
    {"区域", CLAUSE_RECT},     {"role", CLAUSE_ROLE},   {"角色", CLAUSE_ROLE},
    {"path", CLAUSE_PATH},     {"路径", CLAUSE_PATH},   {"not", CLAUSE_NOT},
    {"非", CLAUSE_NOT},
};

static const Word fields[] = {
    {"name", HF_FIELD_NAME},        {"名称", HF_FIELD_NAME},
    {"value", HF_FIELD_VALUE},      {"值", HF_FIELD_VALUE},
    {"id", HF_FIELD_IDENTIFIER},    {"identifier", HF_FIELD_IDENTIFIER},
    {"标识", HF_FIELD_IDENTIFIER},  {"description", HF_FIELD_DESCRIPTION},
    {"描述", HF_FIELD_DESCRIPTION}, {"text", HF_FIELD_TEXT},
    {"文本", HF_FIELD_TEXT},
};

/* Words for states besides their names. */
static const struct {
    const char *word, *state;
    gboolean wanted;
} states[] = {
    {"disabled", "enabled", FALSE},    {"hidden", "visible", FALSE},
    {"unchecked", "checked", FALSE},   {"可用", "enabled", TRUE},
    {"禁用", "enabled", FALSE},        {"可见", "visible", TRUE},
    {"隐藏", "visible", FALSE},        {"已勾选", "checked", TRUE},
    {"未勾选", "checked", FALSE},      {"已选中", "selected", TRUE},
    {"已聚焦", "focused", TRUE},       {"已展开", "expanded", TRUE},
    {"unselected", "selected", FALSE},
};

static gboolean fail_here(const Parser *parser, const char *expected, GError **error)
{
    const HfLexer *lexer = &parser->lexer;
    const char *found = lexer->kind == HF_TOKEN_WRONG ? lexer->problem : NULL;
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "selector, character %ld: %s%s%s",
            hf_lexer_column(lexer), found ? found : "expected ", found ? "" : expected,
            found || lexer->kind != HF_TOKEN_END ? "" : ", not the end");
    hf_error_suggest(error, "write for example button \"Save\"; see docs/selectors.md");
    return FALSE;
}

static int find_word(const Word *table, gsize count, const Parser *parser)
{
    if (parser->lexer.kind != HF_TOKEN_WORD)
        return -1;
    for (gsize i = 0; i < count; i++)
        if (strcmp(table[i].word, parser->lexer.word->str) == 0)
            return table[i].meaning;
    return -1;
}

static Clause clause_here(const Parser *parser)
{
    int clause = find_word(clauses, G_N_ELEMENTS(clauses), parser);
    return clause < 0 ? CLAUSE_NONE : (Clause)clause;
}

/* Looks at the token after the current one. */
static HfTokenKind kind_after(const Parser *parser)
{
    HfLexer ahead = parser->lexer;
    ahead.word = g_string_new("");
    hf_lexer_next(&ahead);
    g_string_free(ahead.word, TRUE);
    return ahead.kind;
}

static gboolean begins_condition(HfTokenKind kind)
{
    return kind == HF_TOKEN_STRING || kind == HF_TOKEN_REGEX || kind == HF_TOKEN_EQUALS ||
           kind == HF_TOKEN_CONTAINS;
}

/* A field name that is followed by a condition: "text" alone is a role. */
static int field_here(const Parser *parser)
{
    int field = find_word(fields, G_N_ELEMENTS(fields), parser);
    return field >= 0 && begins_condition(kind_after(parser)) ? field : -1;
}

static gboolean parse_test(Parser *parser, HfTextCondition *condition, const char *where,
                           GError **error)
{
    HfLexer *lexer = &parser->lexer;
    HfTextOperator how = lexer->kind == HF_TOKEN_REGEX      ? HF_TEXT_REGEX
                         : lexer->kind == HF_TOKEN_EQUALS   ? HF_TEXT_EQUALS
                         : lexer->kind == HF_TOKEN_CONTAINS ? HF_TEXT_CONTAINS
                                                            : HF_TEXT_LIKE;
    if (how == HF_TEXT_EQUALS || how == HF_TEXT_CONTAINS)
        hf_lexer_next(lexer);
    if (lexer->kind != HF_TOKEN_STRING && lexer->kind != HF_TOKEN_REGEX)
        return fail_here(parser, "a text in quotes", error);
    if (!hf_text_condition_init(condition, how, lexer->word->str, where, error))
        return FALSE;
    hf_lexer_next(lexer);
    return TRUE;
}

static gboolean parse_selector_number(Parser *parser, gint64 least, gint64 most, int *ret_number,
                                      GError **error)
{
    if (parser->lexer.kind != HF_TOKEN_NUMBER)
        return fail_here(parser, "a number", error);
    gint64 number = parser->lexer.number;
    if (number < least || number > most)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "selector, character %ld: expected a number from %" G_GINT64_FORMAT
                       " to %" G_GINT64_FORMAT,
                       hf_lexer_column(&parser->lexer), least, most);
    *ret_number = (int)number;
    hf_lexer_next(&parser->lexer);
    return TRUE;
}

static guint parse_prefixed_digits(const char *text, char prefix, const char **ret_end)
{
    char *end;
    if (*text != prefix || !g_ascii_isdigit(text[1]))
        return 0;
    guint64 number = g_ascii_strtoull(text + 1, &end, 10);
    *ret_end = end;
    return number <= G_MAXINT ? (guint)number : 0;
}

/* e12 or s7/e12. */
static gboolean parse_element_reference(const char *word, HfSelector *selector)
{
    const char *end = word;
    guint snapshot = parse_prefixed_digits(word, 's', &end);
    if (snapshot && *end != '/')
        return FALSE;
    guint ref = parse_prefixed_digits(snapshot ? end + 1 : word, 'e', &end);
    if (!ref || *end)
        return FALSE;
    selector->ref = ref;
    selector->snapshot = snapshot;
    return TRUE;
}

/* Takes two words that form a role together: menu item, push button. */
static gboolean parse_selector_role(Parser *parser, HfSelector *selector, GError **error)
{
    g_autofree char *first = g_strdup(parser->lexer.word->str);
    if (kind_after(parser) == HF_TOKEN_WORD) {
        hf_lexer_next(&parser->lexer);
        g_autofree char *both = g_strconcat(first, "-", parser->lexer.word->str, NULL);
        gboolean known = hf_node_role_known(both);
        if (known)
            hf_lexer_next(&parser->lexer);
        return hf_selector_set_role(selector, known ? both : first, error);
    }
    if (!hf_selector_set_role(selector, first, error))
        return FALSE;
    hf_lexer_next(&parser->lexer);
    return TRUE;
}

static gboolean begins_role(const Parser *parser)
{
    return parser->lexer.kind == HF_TOKEN_WORD && clause_here(parser) == CLAUSE_NONE &&
           field_here(parser) < 0 && hf_state_from_name(parser->lexer.word->str) < 0;
}

/* [role] [text]: every element, and each part of a clause, begins with it. */
static gboolean parse_selector_head(Parser *parser, HfSelector *selector, GError **error)
{
    HfLexer *lexer = &parser->lexer;
    if (lexer->kind == HF_TOKEN_WORD && parse_element_reference(lexer->word->str, selector)) {
        hf_lexer_next(lexer);
        return TRUE;
    }
    int field = field_here(parser);
    if (field < 0 && begins_role(parser)) {
        gboolean state = FALSE;
        for (gsize i = 0; i < G_N_ELEMENTS(states); i++)
            state = state || strcmp(states[i].word, lexer->word->str) == 0;
        if (!state && !parse_selector_role(parser, selector, error))
            return FALSE;
        field = field_here(parser);
    }
    if (field >= 0)
        hf_lexer_next(lexer);
    if (!begins_condition(lexer->kind))
        return TRUE;
    field = MAX(field, HF_FIELD_NAME);
    return parse_test(parser, &selector->texts[field], hf_text_field_name(field), error);
}

static HfSelector *parse_element(Parser *parser, GError **error);

/* The element of a clause: a whole selector in brackets, or just [role] [text]. */
static HfSelector *parse_part(Parser *parser, GError **error)
{
    g_autoptr(HfSelector) part = NULL;
    if (++parser->depth >= HF_LIMIT_SELECTOR_DEPTH) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a selector nests at most %d deep",
                HF_LIMIT_SELECTOR_DEPTH);
        return NULL;
    }
    if (parser->lexer.kind == HF_TOKEN_OPEN) {
        hf_lexer_next(&parser->lexer);
        part = parse_element(parser, error);
        if (part && parser->lexer.kind != HF_TOKEN_CLOSE) {
            fail_here(parser, "a closing bracket", error);
            return NULL;
        }
        hf_lexer_next(&parser->lexer);
    } else {
        part = g_new0(HfSelector, 1);
        if (!parse_selector_head(parser, part, error))
            return NULL;
        if (hf_selector_is_empty(part)) {
            fail_here(parser, "an element, like label \"Name\"", error);
            return NULL;
        }
    }
    parser->depth--;
    return g_steal_pointer(&part);
}

static gboolean parse_near(Parser *parser, HfSelector *selector, HfDirection direction,
                           GError **error)
{
    if (parser->lexer.kind == HF_TOKEN_WORD && strcmp(parser->lexer.word->str, "of") == 0)
        hf_lexer_next(&parser->lexer);
    if (selector->near)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "selector, character %ld: only one near (or left, right, above, below)",
                       hf_lexer_column(&parser->lexer));
    selector->direction = direction;
    selector->near = parse_part(parser, error);
    return selector->near != NULL;
}

static gboolean parse_rect(Parser *parser, HfSelector *selector, GError **error)
{
    HfRect *rect = &selector->rect;
    int most = HF_LIMIT_SCREEN_EDGE;
    return parse_selector_number(parser, -most, most, &rect->x, error) &&
           parse_selector_number(parser, -most, most, &rect->y, error) &&
           parse_selector_number(parser, 1, most, &rect->width, error) &&
           parse_selector_number(parser, 1, most, &rect->height, error);
}

static gboolean parse_path(Parser *parser, HfSelector *selector, GError **error)
{
    if (parser->lexer.kind != HF_TOKEN_STRING)
        return fail_here(parser, "names in quotes, like \"File > Open\"", error);
    if (!hf_selector_set_path(selector, parser->lexer.word->str, error))
        return FALSE;
    hf_lexer_next(&parser->lexer);
    return TRUE;
}

static gboolean parse_within(Parser *parser, HfSelector *selector, GError **error)
{
    if (!parse_selector_number(parser, 1, HF_LIMIT_SCREEN_EDGE, &selector->distance, error))
        return FALSE;
    if (parser->lexer.kind == HF_TOKEN_WORD && strcmp(parser->lexer.word->str, "px") == 0)
        hf_lexer_next(&parser->lexer);
    return TRUE;
}

static gboolean parse_in(Parser *parser, HfSelector *selector, GError **error)
{
    if (selector->in)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "selector, character %ld: only one in; nest them with brackets",
                       hf_lexer_column(&parser->lexer));
    selector->in = parse_part(parser, error);
    return selector->in != NULL;
}

static gboolean parse_state(Parser *parser, HfSelector *selector, gboolean wanted, GError **error)
{
    HfLexer *lexer = &parser->lexer;
    if (lexer->kind != HF_TOKEN_WORD)
        return fail_here(parser, "near, in, nth, a state, or the end", error);
    const char *state = lexer->word->str;
    for (gsize i = 0; i < G_N_ELEMENTS(states); i++)
        if (strcmp(states[i].word, state) == 0) {
            wanted = wanted == states[i].wanted;
            state = states[i].state;
            break;
        }
    if (hf_state_from_name(state) < 0)
        return fail_here(parser, "near, in, nth, a state, or the end", error);
    if (!hf_selector_set_state(selector, state, wanted, error))
        return FALSE;
    hf_lexer_next(lexer);
    return TRUE;
}

static gboolean parse_clause(Parser *parser, HfSelector *selector, GError **error)
{
    HfLexer *lexer = &parser->lexer;
    int field = field_here(parser);
    Clause clause = clause_here(parser);
    if (field >= 0 || clause != CLAUSE_NONE)
        hf_lexer_next(lexer);
    if (field >= 0)
        return parse_test(parser, &selector->texts[field], hf_text_field_name(field), error);
    switch (clause) {
    case CLAUSE_NEAR:
        return parse_near(parser, selector, HF_DIRECTION_ANY, error);
    case CLAUSE_LEFT:
    case CLAUSE_RIGHT:
    case CLAUSE_ABOVE:
    case CLAUSE_BELOW:
        return parse_near(parser, selector, (HfDirection)(clause - CLAUSE_LEFT + HF_DIRECTION_LEFT),
                          error);
    case CLAUSE_IN:
        return parse_in(parser, selector, error);
    case CLAUSE_NTH:
        return parse_selector_number(parser, 1, HF_SELECTOR_NTH, &selector->nth, error);
    case CLAUSE_WITHIN:
        return parse_within(parser, selector, error);
    case CLAUSE_RECT:
        return parse_rect(parser, selector, error);
    case CLAUSE_ROLE:
        return lexer->kind == HF_TOKEN_WORD ? parse_selector_role(parser, selector, error)
                                            : fail_here(parser, "a role", error);
    case CLAUSE_PATH:
        return parse_path(parser, selector, error);
    case CLAUSE_NOT:
        return parse_state(parser, selector, FALSE, error);
    case CLAUSE_NONE:
        break;
    }
    return parse_state(parser, selector, TRUE, error);
}

static HfSelector *parse_element(Parser *parser, GError **error)
{
    g_autoptr(HfSelector) selector = g_new0(HfSelector, 1);
    if (!parse_selector_head(parser, selector, error))
        return NULL;
    while (!selector->ref && parser->lexer.kind != HF_TOKEN_END &&
           parser->lexer.kind != HF_TOKEN_CLOSE)
        if (!parse_clause(parser, selector, error))
            return NULL;
    return hf_selector_check(selector, error) ? g_steal_pointer(&selector) : NULL;
}

static HfSelector *parse_selector(const char *text, GError **error)
{
    g_auto(Parser) parser = {0};
    hf_lexer_init(&parser.lexer, text);
    g_autoptr(HfSelector) selector = parse_element(&parser, error);
    if (selector && parser.lexer.kind != HF_TOKEN_END) {
        fail_here(&parser, "the end", error);
        return NULL;
    }
    return g_steal_pointer(&selector);
}

static HfSelector *new_selector_for_text(const char *text, GError **error)
{
    g_autoptr(HfSelector) selector = g_new0(HfSelector, 1);
    g_autofree char *shown = g_strstrip(g_strdup(text));
    gboolean valid =
        hf_text_condition_init(&selector->texts[HF_FIELD_TEXT], HF_TEXT_LIKE, shown, "text", error);
    return valid ? g_steal_pointer(&selector) : NULL;
}

HfSelector *hf_selector_from_text(const char *text, GError **error)
{
    if (strlen(text) > HF_LIMIT_SELECTOR_BYTES) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a selector has at most %u bytes",
                HF_LIMIT_SELECTOR_BYTES);
        return NULL;
    }
    if (!g_utf8_validate(text, -1, NULL)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "the selector is not valid UTF-8");
        return NULL;
    }
    g_autoptr(GError) reason = NULL;
    HfSelector *selector = parse_selector(text, &reason);
    gboolean has_sign = FALSE;
    for (const char *const *sign = signs; *sign; sign++)
        has_sign = has_sign || strstr(text, *sign);
    if (!selector && !has_sign && hf_error_code(reason) == HF_ERROR_INVALID_PARAMS)
        return new_selector_for_text(text, error);
    if (!selector)
        g_propagate_error(error, g_steal_pointer(&reason));
    return selector;
}
