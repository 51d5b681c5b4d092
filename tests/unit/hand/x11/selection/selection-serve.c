/* SPDX-License-Identifier: Apache-2.0 */
/* A selection of ours, as other programs see it. */
#include "hand/x11/selection/selection-serve.h"

#include <glib/gstdio.h>
#include <string.h>

#include "hand/x11/core/server-generation.h"
#include "hand/x11/selection/selection-read.h"
#include "requestor.h"
#include "shared/base/error.h"

typedef struct Fixture {
    HfX11Connection *names;
    HfSelectionServer *server;
    Requestor *requestor;
    char *directory;
} Fixture;

static void set_up(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    f->directory = g_dir_make_tmp("selection-XXXXXX", &error);
    f->names = hf_x11_connect(NULL, &error);
    g_assert_no_error(error);
    f->server = hf_selection_server_new(NULL);
    f->requestor = requestor_new();
}

static void tear_down(Fixture *f, gconstpointer data)
{
    requestor_release(f->requestor, "CLIPBOARD");
    requestor_free(f->requestor);
    hf_selection_server_free(f->server);
    hf_x11_disconnect(f->names);
    g_rmdir(f->directory);
    g_free(f->directory);
}

/* Takes the clipboard with saved content, and lends a text. */
static void claim(Fixture *f)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfClipboardData) content = hf_clipboard_data_new_text("kept", FALSE);
    g_autoptr(HfClipboardData) loan = hf_clipboard_data_new_text("lent", TRUE);
    g_autofree char *mark = hf_server_generation_new_mark(f->names, &error);
    HfDeadline limit = hf_deadline_in_ms(5000, NULL);
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(f->names, "CLIPBOARD", NULL, &error);
    g_assert_true(hf_selection_reader_start(reader, &limit, &error));
    HfSelectionClaim wanted = {
        .time = hf_selection_reader_get_time(reader),
        .content = content,
        .file = hf_clipboard_file_write(f->directory, mark, "CLIPBOARD", content, &error),
        .loan = loan};
    gboolean taken = FALSE;
    hf_selection_server_claim(f->server, &wanted, &taken, &error);
    g_assert_no_error(error);
    g_assert_true(taken);
}

/* The time when the owner took the clipboard, as it reports it. */
static guint32 owned_since(Fixture *f)
{
    guint32 since = 0;
    g_autoptr(GBytes) bytes = requestor_fetch(f->requestor, "CLIPBOARD", "TIMESTAMP");
    g_assert_nonnull(bytes);
    g_assert_cmpuint(g_bytes_get_size(bytes), >=, sizeof since);
    memcpy(&since, g_bytes_get_data(bytes, NULL), sizeof since);
    return since;
}

#define ANNOUNCED_MS 1500 /* the end of a loan is announced after a second */

static void test_announces_the_end(Fixture *f, gconstpointer data)
{
    claim(f);
    guint32 before = owned_since(f);
    hf_selection_server_end_loan(f->server, HF_SELECTION_CLIPBOARD);
    g_usleep(ANNOUNCED_MS * 1000);
    g_assert_cmpuint(owned_since(f), >, before);
}

/* An heir claims one millisecond after us. An announcement would take the selection back, and the
 * heir would remove the file. */
static void test_leaves_it_to_the_heir(Fixture *f, gconstpointer data)
{
    g_autofree char *path = NULL;
    claim(f);
    guint32 before = owned_since(f);
    hf_selection_server_end_loan(f->server, HF_SELECTION_CLIPBOARD);
    int fd = hf_selection_server_keep_file(f->server, HF_SELECTION_CLIPBOARD, &path);
    g_assert_cmpint(fd, >=, 0);
    g_usleep(ANNOUNCED_MS * 1000);
    g_assert_cmpuint(owned_since(f), ==, before);
    hf_clipboard_file_remove(hf_clipboard_file_new_inherited(path, fd));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/selection/serve/announces-the-end", Fixture, NULL, set_up, test_announces_the_end,
               tear_down);
    g_test_add("/selection/serve/leaves-it-to-the-heir", Fixture, NULL, set_up,
               test_leaves_it_to_the_heir, tear_down);
    return g_test_run();
}
