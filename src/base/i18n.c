/* Finding the translations: in the build tree beside the program, else where it was installed. */
#include "base/i18n.h"

#include <glib.h>
#include <locale.h>

void hf_i18n_init(void)
{
    setlocale(LC_ALL, "");
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = program ? g_path_get_dirname(program) : g_strdup(".");
    g_autofree char *beside = g_build_filename(folder, "po", NULL);
    g_autofree char *installed = g_build_filename(folder, "..", "share", "locale", NULL);
    bindtextdomain("handfast", g_file_test(beside, G_FILE_TEST_IS_DIR) ? beside : installed);
    bind_textdomain_codeset("handfast", "UTF-8");
    textdomain("handfast");
}
