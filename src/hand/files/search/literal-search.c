/* SPDX-License-Identifier: Apache-2.0 */
/* memchr checks 32 bytes at a time: with a rare byte it runs at memory speed. If the byte turns out
 * to be common, memmem takes over. */
#include "hand/files/search/literal-search.h"

#include <string.h>

/* More false candidates than this, and more than one per so many bytes, are too many. */
#define FALSE_CANDIDATES 64u
#define CANDIDATE_BYTES  64u

struct HfLiteral {
    char *text;
    gsize length;
    gsize rare; /* offset of its rarest byte */
};

/* How common a byte is in texts and programs; higher is more common. */
static int byte_frequency_rank(guchar byte)
{
    static const char order[] = "\x01zjqxQZXYJKVWHUGBkvyMDFOLNPRwbIECATS987654321*/;)(\"=0.,"
                                "g-mfhpud_lcrnsoiat e";
    const char *found = memchr(order, byte, sizeof order - 1);
    return found ? (int)(found - order) : 0;
}

HfLiteral *hf_literal_new(const char *text, gsize length)
{
    HfLiteral *literal = g_new0(HfLiteral, 1);
    literal->text = g_strndup(text, length);
    literal->length = length;
    for (gsize i = 1; i < length; i++)
        if (byte_frequency_rank((guchar)text[i]) < byte_frequency_rank((guchar)text[literal->rare]))
            literal->rare = i;
    return literal;
}

void hf_literal_free(HfLiteral *literal)
{
    if (!literal)
        return;
    g_free(literal->text);
    g_free(literal);
}

const char *hf_literal_text(const HfLiteral *literal)
{
    return literal->text;
}

gssize hf_literal_search(const HfLiteral *literal, const char *data, gsize length)
{
    gsize wrong = 0, size = literal->length;
    char rare = literal->text[literal->rare];
    if (length < size)
        return -1;
    const char *at = data + literal->rare, *end = data + length - size + literal->rare + 1;
    while (at < end && (at = memchr(at, rare, (gsize)(end - at)))) {
        const char *start = at - literal->rare;
        if (memcmp(start, literal->text, size) == 0)
            return start - data;
        at++;
        if (++wrong > FALSE_CANDIDATES && wrong * CANDIDATE_BYTES > (gsize)(at - data)) {
            start = memmem(at - literal->rare, (gsize)(data + length - (at - literal->rare)),
                           literal->text, size);
            return start ? start - data : -1;
        }
    }
    return -1;
}

/* ---- the literal in an expression ---- */

typedef struct Scan {
    GString *run, *best;
} Scan;

static void end_run(Scan *scan)
{
    if (scan->run->len > scan->best->len)
        g_string_assign(scan->best, scan->run->str);
    g_string_truncate(scan->run, 0);
}

/* The end of the class that begins at `at`; NULL if it has none. */
static const char *skip_class(const char *at)
{
    at++;
    if (*at == '^')
        at++;
    if (*at == ']')
        at++;
    for (; *at && *at != ']'; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '[' && (at[1] == ':' || at[1] == '.' || at[1] == '='))
            return NULL; /* named classes are not worth it */
    }
    return *at ? at + 1 : NULL;
}

/* The end of the group; NULL if it has none. */
static const char *skip_group(const char *at)
{
    int depth = 0;
    while (at && *at) {
        if (*at == '\\' && at[1]) {
            at += 2;
        } else if (*at == '[') {
            at = skip_class(at);
        } else if (*at == '(') {
            depth++;
            at++;
        } else if (*at++ == ')' && --depth == 0) {
            return at;
        }
    }
    return NULL;
}

/* Handles a repetition and returns its end; NULL if it is none. */
static const char *take_repetition(Scan *scan, const char *at)
{
    if (*at != '+') { /* the character before it is optional; it can have several bytes */
        gsize length = scan->run->len;
        while (length > 0 && ((guchar)scan->run->str[length - 1] & 0xc0) == 0x80)
            length--;
        g_string_truncate(scan->run, length > 0 ? length - 1 : 0);
    }
    end_run(scan);
    if (*at == '{') {
        gsize inner = strspn(at + 1, "0123456789,");
        if (inner == 0 || at[inner + 1] != '}')
            return NULL; /* a literal brace: rare enough */
        at += inner + 1;
    }
    return at + 1 + (at[1] == '?' || at[1] == '+');
}

/* Scans one element; NULL if nothing is certain any more. */
static const char *scan_regex_element(Scan *scan, const char *at)
{
    if (strchr("*+?{", *at))
        return take_repetition(scan, at);
    if (*at == '|')
        return NULL;
    if (*at == '(' || *at == '[') {
        end_run(scan);
        return *at == '(' ? skip_group(at) : skip_class(at);
    }
    if (strchr("^$.)", *at)) {
        end_run(scan);
        return at + 1;
    }
    if (*at != '\\') {
        g_string_append_c(scan->run, *at);
        return at + 1;
    }
    if (!at[1] || g_ascii_isdigit(at[1]) || strchr("QEpPxoNgkcuU", at[1]))
        return NULL;
    if (g_ascii_isalpha(at[1]))
        end_run(scan);
    else
        g_string_append_c(scan->run, at[1]);
    return at + 2;
}

HfLiteral *hf_literal_of_expression(const char *expression)
{
    Scan scan = {g_string_new(NULL), g_string_new(NULL)};
    /* Option settings and verbs change what follows. */
    const char *at = strstr(expression, "(?") || strstr(expression, "(*") ? NULL : expression;
    while (at && *at)
        at = scan_regex_element(&scan, at);
    end_run(&scan);
    HfLiteral *found =
        at && scan.best->len > 0 ? hf_literal_new(scan.best->str, scan.best->len) : NULL;
    g_string_free(scan.run, TRUE);
    g_string_free(scan.best, TRUE);
    return found;
}
