/* SPDX-License-Identifier: Apache-2.0 */
/* The headers in which a stranger shows a token: two lines, Authorization and the protocols of a
 * WebSocket; a line that begins with '-' is a header that is not there. Only the token itself is
 * found, whatever stands around it. */
#include <glib/gstdio.h>
#include <stdint.h>
#include <string.h>

#include "desk/doors/http/auth/bearer-token.h"
#include "desk/guard/policy/token-store.h"
#include "shared/base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static HfTokenStore *the_book;
static char *the_token;

/* What is looked up is in memory; the files are not needed any more. */
static void make_book(void)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    g_autofree char *folder = g_dir_make_tmp("hf-fuzz-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "handfast.db", NULL);
    HfStore *store = hf_store_open(path, NULL);
    HfTokenSpec wish = {.name = "real", .role = HF_ROLE_CLIENT};
    the_book = hf_token_store_new(store, NULL);
    the_token = hf_token_store_add(the_book, &wish, NULL);
    g_assert_nonnull(the_token);
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *file = g_strconcat(path, suffixes[i], NULL);
        g_remove(file);
    }
    g_rmdir(folder);
}

static void look_up(const char *text, gboolean real)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfToken) found = hf_token_store_find(the_book, text, &error);
    g_assert_true((found != NULL) == (error == NULL));
    g_assert_true((found != NULL) == real);
    g_assert_true(!error || hf_error_code(error) == HF_ERROR_UNAUTHENTICATED);
}

static void try_headers(const char *authorization, const char *protocols)
{
    g_autofree char *text = hf_http_bearer_dup(authorization, protocols);
    g_assert_true(text || !authorization);
    if (!text)
        return;
    g_assert_true(!*text || (!g_ascii_isspace(*text) && !g_ascii_isspace(text[strlen(text) - 1])));
    look_up(text, FALSE);
    g_autofree char *good = g_strconcat("bearer  ", the_token, " ", NULL);
    g_autofree char *read = hf_http_bearer_dup(good, protocols);
    look_up(read, TRUE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!the_book)
        make_book();
    g_autofree char *text = g_strndup(size ? (const char *)data : "", size);
    char *line = strchr(text, '\n');
    if (line)
        *line++ = 0;
    try_headers(*text == '-' ? NULL : text, line && *line != '-' ? line : NULL);
    return 0;
}
