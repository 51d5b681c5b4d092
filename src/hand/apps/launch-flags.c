/* SPDX-License-Identifier: Apache-2.0 */
/* How programs made with Chromium are known: by name, or by what lies beside them. */
#include "hand/apps/launch-flags.h"

#include <limits.h>
#include <stdlib.h>

#define SPEAK "--force-renderer-accessibility"

/* Scripts and programs that start one from elsewhere. */
static const char *const names[] = {
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "google-chrome-beta",
    "brave-browser",
    "microsoft-edge",
    "microsoft-edge-stable",
    "vivaldi",
    "vivaldi-stable",
    "opera",
    NULL,
};

/* Whoever has spoken of this, or of no window at all, is left alone. */
static const char *const decided[] = {SPEAK, "--disable-renderer-accessibility", "--headless"};

/* Each has this picture book beside it, or one folder above its script. */
static gboolean has_resources(const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return FALSE;
    g_autofree char *folder = g_path_get_dirname(real);
    g_autofree char *above = g_path_get_dirname(folder);
    g_autofree char *beside = g_build_filename(folder, "chrome_100_percent.pak", NULL);
    g_autofree char *below = g_build_filename(above, "chrome_100_percent.pak", NULL);
    return g_file_test(beside, G_FILE_TEST_IS_REGULAR) ||
           g_file_test(below, G_FILE_TEST_IS_REGULAR);
}

static gboolean is_chromium(const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    return g_strv_contains(names, name) || has_resources(path);
}

static gboolean is_decided(char *const *arguments)
{
    for (; *arguments; arguments++)
        for (gsize i = 0; i < G_N_ELEMENTS(decided); i++)
            if (g_str_has_prefix(*arguments, decided[i]))
                return TRUE;
    return FALSE;
}

void hf_launch_flags_add(char ***arguments)
{
    if (!is_chromium((*arguments)[0]) || is_decided(*arguments))
        return;
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_add_many(builder, (*arguments)[0], SPEAK, NULL);
    g_strv_builder_addv(builder, (const char **)*arguments + 1);
    g_strfreev(*arguments);
    *arguments = g_strv_builder_end(builder);
}
