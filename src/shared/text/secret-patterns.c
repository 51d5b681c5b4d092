/* SPDX-License-Identifier: Apache-2.0 */
/* The table of patterns. A rule keeps its group "k" (the flag, the header's name) and replaces the
 * rest of its match. tests/unit/desk/records/audit/redact.c shows each of them at work. */
#include "shared/text/secret-patterns.h"

#include <string.h>

/* A word of a command. A quote that opens it may stay open; one inside must be closed, otherwise
 * it ends a quotation that began before. */
#define PLAIN "(?:\\\\.|[^\\s\"'&;|,}\\])])+"
#define WORD                                                                                       \
    "(?:\"(?:[^\"\\\\]|\\\\.)*\"?|'[^']*'?|" PLAIN ")"                                             \
    "(?:\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|" PLAIN ")*"
/* Within one command of a line. */
#define WITHIN "[^|;&\\n]{0,999}?\\s"
#define NAMES                                                                                      \
    "(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|"          \
    "private[_-]?key|credentials?|auth[_-]?key|client[_-]?secret|session[_-]?(?:id|key)|"          \
    "sig(?:nature)?|otp|cvv|cvc)"

/* After "the password is": what is said about it, not what it is. */
#define COMMON_WORDS                                                                               \
    "(?:a|an|the|not|no|never|in|on|at|by|for|from|to|of|and|or|that|this|here|there|only|also|"   \
    "already|still|now|too|so|very|set|stored|kept|saved|read|asked|shown|used|bound|given|typed|" \
    "sent|missing|expired|valid|invalid|wrong|right|correct|incorrect|required|needed|empty|"      \
    "unknown|visible|hidden|refused|accepted|revoked|rejected|optional|secret|weak|strong|being|"  \
    "what|which|whose|your|my|his|her|its|their|our|entered|changed|removed|redacted|wanted)\\b"

/* Keys and tokens with a known form. */
static const char *const forms[] = {
    "-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)",
    "\\beyJ[A-Za-z0-9_-]{6,}\\.[A-Za-z0-9_-]{6,}(?:\\.[A-Za-z0-9_-]*)?",
    "\\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA)[0-9A-Z]{12,}",
    "\\b(?:gh[pousr]_[A-Za-z0-9]{12,}|github_pat_\\w{16,}|glpat-[\\w-]{12,})",
    "\\b(?:xox[abeposr]-[\\w-]{8,}|sk-[\\w-]{16,}|AIza[\\w-]{24,}|npm_\\w{24,}|hf_[A-Za-z]{24,}|"
    "(?:sk|rk|pk|whsec)_(?:(?:live|test)_)?\\w{16,})",
};

/* Each of these needs a space, a colon or an equals sign: see is_one_word. */
static const char *const patterns[] = {
    /* Headers. */
    "(?i)(?<k>\\b(?:proxy-)?authorization[\"']?\\s*[:=]\\s*[\"']?"
    "(?:(?:bearer|basic|token|digest|negotiate|apikey)\\s+)?)[^\\s\"',]+",
    "(?i)(?<k>\\bbearer\\s+)[\\w.~+/=-]{6,}",
    "(?i)(?<k>\\b(?:set-)?cookie:\\s*)[^\\n\"']+",
    /* Addresses: the part before the @. */
    "(?i)(?<k>\\b[a-z][a-z0-9+.-]*://)[^\\s/@:\"']*:[^\\s/\"']*(?=@)",
    "(?i)(?<k>\\bhttps?://)[^\\s/@:\"']+(?=@)",
    "(?i)(?<k>[?&](?:[\\w.-]*key|code|auth|sid|session|jwt|ticket|hash|hmac)=)[^\\s&#\"']+",
    /* Programs whose password flag has another name. */
    "(?<k>\\b(?:mysql|mariadb)[\\w-]*\\b" WITHIN "-p)" WORD,
    "(?<k>\\bsshpass\\s"
    "(?:-\\w+\\s+)*"
    "-p\\s*)" WORD,
    "(?<k>\\bredis-cli\\b" WITHIN "-a\\s*)" WORD,
    "(?<k>\\b(?:curl|wget|http|https)\\b" WITHIN
    "(?:-[a-zA-Z]*[uU]\\s*|--(?:proxy-)?user[ =]\\s*))" WORD,
    "(?<k>\\b(?:mongo\\w*|docker\\s+login|podman\\s+login|helm|7z[ar]?|rar)\\b" WITHIN
    "-p\\s*)" WORD,
    "(?<k>\\b(?:unzip|zip|zipcloak)\\b" WITHIN "-P\\s*)" WORD,
    "(?<k>\\b(?:ldap\\w+)\\b" WITHIN "-w\\s*)" WORD,
    "(?<k>\\bsmbclient\\b" WITHIN "-U\\s*[^\\s%]*%)" WORD,
    "(?<k>\\bhtpasswd\\b(?=[^|;&\\n]*\\s-\\w*n)" WITHIN
    "-\\w*b\\w*\\s+(?:-\\w+\\s+)*\\S+\\s+)" WORD,
    "(?<k>\\bhtpasswd\\b(?![^|;&\\n]*\\s-\\w*n)" WITHIN
    "-\\w*b\\w*\\s+(?:-\\w+\\s+)*\\S+\\s+\\S+\\s+)" WORD,
    /* A cookie, not a file of cookies. */
    "(?<k>\\bcurl\\b" WITHIN "(?:-[a-zA-Z]*b\\s*|--cookie[ =]\\s*)(?=[\"']?[^\\s\"']+=))" WORD,
    "(?i)(?<k>\\b(?:read|mapfile|readarray)\\b[^|;&\\n]{0,999}?\\w*" NAMES "\\w*\\s*<<<\\s*)" WORD,
    "(?<k>\\bpass:)" WORD,
    "(?<k>\\b(?:echo|printf)\\s+(?:-\\w+\\s+)*)[^|\\n]{1,999}(?=\\|\\s*(?:sudo\\b[^|\\n]*\\s-\\w*S|"
    "(?:"
    "sudo\\s+)?"
    "(?:chpasswd|passwd|gpg\\b|docker\\s+login)))",
    "(?<k>\\bmachine\\s+\\S+\\s+login\\s+\\S+\\s+password\\s+)\\S+",
    /* What people write. */
    "(?i)(?<k>\\b(?:password|passwd|passphrase|passcode|pwd|pin|secret|token|api key|otp)"
    "(?:\\s+(?:is|was|will be)|'s)\\s+)(?!" COMMON_WORDS ")" WORD,
    "(?<k>(?:密码|口令|密钥|令牌|验证码|暗号)\\s*(?:是|为|：|:|=)\\s*)"
    "(?!什么|错|正确|空|必|不|无|否)[^\\s，。；、,;\"'”’]+",
    /* name=value, name: value, "name": "value", and --name value. */
    "(?i)(?<k>(?<![a-z])[\\w.-]*" NAMES "[\\w-]*[\"']?\\s*(?:=>|[=:])\\s*)" WORD,
    "(?i)(?<k>(?<!\\S)--?[\\w-]*" NAMES "[\\w-]*\\s+)" WORD,
};

typedef struct Rules {
    GRegex *forms[G_N_ELEMENTS(forms)];
    GRegex *patterns[G_N_ELEMENTS(patterns)];
    GRegex *name;
} Rules;

static void compile_patterns(const char *const *texts, gsize count, GRegex **ret_regex)
{
    for (gsize i = 0; i < count; i++) {
        g_autoptr(GError) error = NULL;
        ret_regex[i] =
            g_regex_new(texts[i], G_REGEX_OPTIMIZE | G_REGEX_DOTALL | G_REGEX_DUPNAMES, 0, &error);
        g_assert_no_error(error);
    }
}

static gpointer compile_secret_rules(gpointer unused)
{
    Rules *rules = g_new0(Rules, 1);
    compile_patterns(forms, G_N_ELEMENTS(forms), rules->forms);
    compile_patterns(patterns, G_N_ELEMENTS(patterns), rules->patterns);
    rules->name = g_regex_new("(?i)(?:^|[^a-z])" NAMES "$|" NAMES "$", G_REGEX_OPTIMIZE, 0, NULL);
    return rules;
}

static const Rules *get_secret_rules(void)
{
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, compile_secret_rules, NULL);
}

/* A word ends before a bracket: after another rule has replaced it, all but its last bracket
 * matches. */
static gboolean ends_replaced(const GMatchInfo *match)
{
    static const gsize length = sizeof HF_REDACTED - 1;
    const char *text = g_match_info_get_string(match);
    int start = 0, end = 0;
    g_match_info_fetch_pos(match, 0, &start, &end);
    return end - start >= (int)length - 1 &&
           strncmp(text + end + 1 - length, HF_REDACTED, length) == 0;
}

static gboolean keep_group(const GMatchInfo *match, GString *text, gpointer unused)
{
    g_autofree char *kept = g_match_info_fetch_named(match, "k");
    g_string_append_printf(text, "%s%s", kept ? kept : "", HF_REDACTED);
    if (ends_replaced(match))
        g_string_truncate(text, text->len - 1);
    return FALSE;
}

/* When a pattern gives up on a hostile text (too many steps), the whole text is removed. */
static char *redact_matches(const GRegex *regex, char *take_text)
{
    g_autoptr(GError) problem = NULL;
    gboolean found = g_regex_match_full(regex, take_text, -1, 0, 0, NULL, &problem);
    if (!found && !problem)
        return take_text;
    char *clean =
        found ? g_regex_replace_eval(regex, take_text, -1, 0, 0, keep_group, NULL, NULL) : NULL;
    g_free(take_text);
    return clean ? clean : g_strdup(HF_REDACTED);
}

/* Most recorded texts are a name, a path or a number. In those only the form of a key can be
 * recognised, and it has a minimum length. Any byte that cannot be part of such a word counts as a
 * space. */
#define SHORTEST_KEY 13 /* xoxb-12345678 */
/* A shorter one occurs in many words by chance. */
#define SHORTEST_SECRET 4

static gboolean is_one_word(const char *text, gsize length)
{
    for (gsize i = 0; i < length; i++)
        if (!g_ascii_isalnum(text[i]) && !strchr("_./-", text[i]))
            return FALSE;
    return TRUE;
}

char *hf_secret_patterns_redact(const char *text)
{
    const Rules *rules = get_secret_rules();
    gsize length = strlen(text);
    gboolean one_word = is_one_word(text, length);
    if (one_word && length < SHORTEST_KEY)
        return g_strdup(text);
    char *clean = g_utf8_make_valid(text, (gssize)length);
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++)
        clean = redact_matches(rules->forms[i], clean);
    for (gsize i = 0; i < G_N_ELEMENTS(patterns) && !one_word; i++)
        clean = redact_matches(rules->patterns[i], clean);
    return clean;
}

char *hf_secret_patterns_redact_tokens(const char *text)
{
    const Rules *rules = get_secret_rules();
    char *clean = g_utf8_make_valid(text, -1);
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++)
        clean = redact_matches(rules->forms[i], clean);
    return clean;
}

/* What a match replaces, without quotes. */
static char *dup_matched_secret(const GMatchInfo *match)
{
    g_autofree char *all = g_match_info_fetch(match, 0);
    g_autofree char *kept = g_match_info_fetch_named(match, "k");
    char *secret = g_strdup(all + (kept ? strlen(kept) : 0));
    g_strstrip(secret);
    char *plain = g_shell_unquote(secret, NULL);
    if (!plain) {
        gsize length = strlen(secret);
        gsize open = strspn(secret, "\"'"), close = length;
        while (close > open && strchr("\"'", secret[close - 1]))
            close--;
        plain = g_strndup(secret + open, close - open);
    }
    g_free(secret);
    return plain;
}

static void collect_matched_secrets(const GRegex *regex, const char *text, GPtrArray *secrets)
{
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL))
        g_ptr_array_add(secrets, dup_matched_secret(match));
}

static int compare_secret_lengths(gconstpointer one, gconstpointer other)
{
    gsize first = strlen(*(char *const *)one), second = strlen(*(char *const *)other);
    return first < second ? 1 : first > second ? -1 : 0;
}

GPtrArray *hf_secret_patterns_find(const char *text)
{
    const Rules *rules = get_secret_rules();
    GPtrArray *secrets = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++)
        collect_matched_secrets(rules->forms[i], valid, secrets);
    for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++)
        collect_matched_secrets(rules->patterns[i], valid, secrets);
    g_ptr_array_sort(secrets, compare_secret_lengths);
    return secrets;
}

char *hf_secret_patterns_redact_part(const char *part, const GPtrArray *secrets)
{
    g_autoptr(GString) clean = g_string_new(part);
    for (guint i = 0; i < secrets->len; i++)
        if (strlen(secrets->pdata[i]) >= SHORTEST_SECRET)
            g_string_replace(clean, secrets->pdata[i], HF_REDACTED, 0);
    return hf_secret_patterns_redact(clean->str);
}

gboolean hf_secret_patterns_match_name(const char *name)
{
    return g_utf8_validate(name, -1, NULL) ? g_regex_match(get_secret_rules()->name, name, 0, NULL)
                                           : TRUE;
}
