/* SPDX-License-Identifier: Apache-2.0 */
/* memchr looks at 32 bytes at a time: with a byte that is rare, that is as quick as memory. Where
 * it turns out not to be rare, memmem takes over. */
#include "hand/files/search/literal-search.h"

#include <string.h>

/* So many wrong places, and more than one in so many bytes, are too many. */
#define WRONG_PLACES 64u
#define WRONG_BYTES  64u

struct HfLiteral {
    char *text;
    gsize length;
    gsize rare; /* where its rarest byte is */
};

/* How common a byte is in texts and programs; larger is more common. */
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
        if (++wrong > WRONG_PLACES && wrong * WRONG_BYTES > (gsize)(at - data)) {
            start = memmem(at - literal->rare, (gsize)(data + length - (at - literal->rare)),
                           literal->text, size);
            return start ? start - data : -1;
        }
    }
    return -1;
}

/* ---- what an expression needs ---- */

typedef struct Scan {
    GString *run, *best;
} Scan;

static void end_run(Scan *scan)
{
    if (scan->run->len > scan->best->len)
        g_string_assign(scan->best, scan->run->str);
    g_string_truncate(scan->run, 0);
}

/* Behind a class that begins at `at`; NULL when it has no end. */
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
            return NULL; /* named classes: not worth it */
    }
    return *at ? at + 1 : NULL;
}

/* Behind a group; NULL when it has no end. */
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

/* Takes the last character back out of the run: it may not be there. A character can be several
 * bytes. */
static void drop_last(Scan *scan)
{
    gsize length = scan->run->len;
    while (length > 0 && ((guchar)scan->run->str[length - 1] & 0xc0) == 0x80)
        length--;
    g_string_truncate(scan->run, length > 0 ? length - 1 : 0);
}

/* A repetition at `at`: what came before it, and behind it. NULL: it is none. */
static const char *take_repetition(Scan *scan, const char *at)
{
    if (*at != '+')
        drop_last(scan);
    end_run(scan);
    if (*at == '{') {
        gsize inner = strspn(at + 1, "0123456789,");
        if (inner == 0 || at[inner + 1] != '}')
            return NULL; /* a brace that is itself: rare enough */
        at += inner + 1;
    }
    return at + 1 + (at[1] == '?' || at[1] == '+');
}

/* One element; NULL when nothing is certain any more. */
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
    /* Switches and verbs change what follows. */
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
