/* SPDX-License-Identifier: Apache-2.0 */
/* The next hand releases what a killed hand held, on the same server only. */
#include "hand/desktop/desktop.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xcb/xtest.h>

#include "hand/safety/input-journal.h"
#include "hand/x11/core/x11.h"

enum { SHIFT_KEY = 50, PLAIN_KEY = 38, BUTTON = 1 };

static char *state_dir;

static HfDesktop *open_desktop(void)
{
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    GError *error = NULL;
    HfDesktop *desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    return desktop;
}

static void fake(HfDesktop *desktop, int type, int code)
{
    xcb_test_fake_input(hf_x11(desktop)->connection->xcb, (guint8)type, (guint8)code, 0, XCB_NONE,
                        0, 0, 0);
    g_assert_true(hf_x11_sync(hf_x11(desktop)->connection, NULL));
}

static gboolean key_is_down(HfDesktop *desktop, int code)
{
    xcb_connection_t *xcb = hf_x11(desktop)->connection->xcb;
    xcb_query_keymap_reply_t *reply = xcb_query_keymap_reply(xcb, xcb_query_keymap(xcb), NULL);
    gboolean down = reply->keys[code / 8] >> (code % 8) & 1;
    free(reply);
    return down;
}

static gboolean button_is_down(HfDesktop *desktop)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    xcb_query_pointer_reply_t *reply = xcb_query_pointer_reply(
        connection->xcb, xcb_query_pointer(connection->xcb, connection->root), NULL);
    gboolean down = (reply->mask & XCB_BUTTON_MASK_1) != 0;
    free(reply);
    return down;
}

static void hold_all(HfDesktop *desktop)
{
    hf_input_journal_hold_key(desktop->journal, SHIFT_KEY);
    fake(desktop, XCB_KEY_PRESS, SHIFT_KEY);
    hf_input_journal_hold_button(desktop->journal, BUTTON);
    fake(desktop, XCB_BUTTON_PRESS, BUTTON);
}

/* A hand that holds a key and a button and is killed. `unwritten`: it also presses a key that is
 * not in the journal. */
static void be_killed(gboolean unwritten)
{
    pid_t child = fork();
    if (child == 0) {
        HfDesktop *desktop = open_desktop();
        hold_all(desktop);
        if (unwritten)
            fake(desktop, XCB_KEY_PRESS, PLAIN_KEY);
        kill(getpid(), SIGKILL);
    }
    int status;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFSIGNALED(status));
}

static void test_after_kill(void)
{
    be_killed(TRUE);
    g_autoptr(HfDesktop) desktop = open_desktop();
    g_assert_false(key_is_down(desktop, SHIFT_KEY));
    g_assert_false(button_is_down(desktop));
    g_assert_false(hf_input_journal_holds_key(desktop->journal, SHIFT_KEY));
    g_assert_true(key_is_down(desktop, PLAIN_KEY)); /* not in the journal: untouched */
    fake(desktop, XCB_KEY_RELEASE, PLAIN_KEY);
}

static void test_other_server(void)
{
    be_killed(FALSE);
    g_autoptr(HfInputJournal) journal = hf_input_journal_open(state_dir, NULL);
    hf_input_journal_set_server(journal, "HFffffffffffffffff");
    hf_input_journal_hold_key(journal, SHIFT_KEY);
    g_clear_pointer(&journal, hf_input_journal_close);

    HfDesktop *desktop = open_desktop();
    g_assert_true(key_is_down(desktop, SHIFT_KEY));
    g_assert_false(hf_input_journal_holds_key(desktop->journal, SHIFT_KEY));
    fake(desktop, XCB_KEY_RELEASE, SHIFT_KEY);
    fake(desktop, XCB_BUTTON_RELEASE, BUTTON);
    hf_desktop_close(desktop);
}

static void test_close_releases(void)
{
    HfDesktop *desktop = open_desktop();
    hold_all(desktop);
    hf_desktop_close(desktop);
    desktop = open_desktop();
    g_assert_false(key_is_down(desktop, SHIFT_KEY));
    g_assert_false(button_is_down(desktop));
    hf_desktop_close(desktop);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    state_dir = g_dir_make_tmp("hf-recovery-XXXXXX", NULL);
    g_test_add_func("/crash-recovery/after-kill", test_after_kill);
    g_test_add_func("/crash-recovery/other-server", test_other_server);
    g_test_add_func("/crash-recovery/close-releases", test_close_releases);
    int status = g_test_run();
    g_autofree char *path = g_build_filename(state_dir, "journal", NULL);
    g_unlink(path);
    g_rmdir(state_dir);
    g_free(state_dir);
    return status;
}
