/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the translations: in the build tree beside the program, or where it was installed. */
#include "shared/base/i18n.h"

#include <glib.h>
#include <locale.h>
#include <string.h>

/* Small systems and containers often name a language whose locale is not installed. Our texts are
 * UTF-8 and do not need the locale. */
static void speak_without_locale(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    setlocale(LC_ALL, "C.UTF-8");
    for (gsize i = 0; i < G_N_ELEMENTS(variables) && !g_getenv("LANGUAGE"); i++) {
        const char *value = g_getenv(variables[i]);
        g_autofree char *language = value ? g_strndup(value, strcspn(value, ".@")) : NULL;
        if (language && *language)
            g_setenv("LANGUAGE", language, TRUE);
    }
}

void hf_i18n_init(void)
{
    if (!setlocale(LC_ALL, ""))
        speak_without_locale();
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = program ? g_path_get_dirname(program) : g_strdup(".");
    g_autofree char *beside = g_build_filename(folder, "po", NULL);
    g_autofree char *installed = g_build_filename(folder, "..", "share", "locale", NULL);
    bindtextdomain("handfast", g_file_test(beside, G_FILE_TEST_IS_DIR) ? beside : installed);
    bind_textdomain_codeset("handfast", "UTF-8");
    textdomain("handfast");
}
