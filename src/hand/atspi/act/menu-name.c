/* SPDX-License-Identifier: Apache-2.0 */
/* How entries of menus are called. Pure. */
#include <string.h>

#include "hand/atspi/act/menu.h"

/* In small letters, without what programs put into names for the eye. */
static char *dup_plain_menu_name(const char *text)
{
    g_autofree char *folded = g_utf8_casefold(text, -1);
    g_autoptr(GString) plain = g_string_new(NULL);
    for (const char *rest = folded; *rest; rest = g_utf8_next_char(rest)) {
        gunichar character = g_utf8_get_char(rest);
        if (character == '_' || character == '&' || character == 0x2026)
            continue;
        g_string_append_unichar(plain, character);
    }
    while (plain->len > 0 && strchr(". ", plain->str[plain->len - 1]))
        g_string_truncate(plain, plain->len - 1);
    return g_strdup(g_strchug(plain->str));
}

/* Chromium puts the keys after the name: "Save as… Ctrl+S". */
static gboolean is_followed_by_keys(const char *rest)
{
    static const char *const keys[] = {" ctrl+", " alt+", " shift+", " f1",  " f2", " f3",
                                       " f5",    " f6",   " f11",    " f12", " del"};
    while (*rest == '.' || (*rest == ' ' && rest[1] == ' '))
        rest++;
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        if (g_str_has_prefix(rest, keys[i]))
            return TRUE;
    return FALSE;
}

gboolean hf_menu_name_fits(const char *entry, const char *name)
{
    g_autofree char *is = dup_plain_menu_name(entry), *wanted = dup_plain_menu_name(name);
    if (!*wanted)
        return FALSE;
    if (strcmp(is, wanted) == 0)
        return TRUE;
    return g_str_has_prefix(is, wanted) && is_followed_by_keys(is + strlen(wanted));
}

char **hf_menu_split_path(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ">", -1);
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    for (char **part = parts; *part; part++)
        if (*g_strstrip(*part))
            g_strv_builder_add(names, *part);
    return g_strv_builder_end(names);
}
