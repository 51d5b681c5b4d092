/* SPDX-License-Identifier: Apache-2.0 */
/* All that a browser may send: answers, events of tabs and downloads, and what is none of these;
 * and what it asks of its way to the network. A page has no hand on the framing, but a browser that
 * a page has taken over does. */
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/browser/cdp/cdp.h"
#include "hand/browser/network/downloads.h"
#include "hand/browser/network/socks-proxy.h"
#include "hand/browser/tab.h"
#include "shared/base/remove-tree.h"
#include "shared/network/socks.h"

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

typedef struct Owner {
    HfCdp *cdp;
    HfTab *tab;
    HfDownloads *downloads;
} Owner;

static void on_event(const char *session, const char *method, const json_t *params, gpointer data)
{
    Owner *owner = data;
    hf_tab_handle_event(owner->tab, owner->cdp, session ? session : "", method, params, NULL);
    hf_downloads_handle_event(owner->downloads, owner->cdp, method, params);
}

static void on_closed(gpointer data)
{
}

static HfTab *make_tab(void)
{
    g_autoptr(json_t) info = json_pack("{s:s}", "targetId", "T");
    return hf_tab_new(1, "S", info);
}

static void hear_all(const guint8 *data, size_t size)
{
    int commands[2], answers[2];
    g_autofree char *folder = g_dir_make_tmp("hf-fuzz-XXXXXX", NULL);
    if (pipe2(commands, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(answers, O_CLOEXEC) != 0)
        return;
    Owner owner = {.tab = make_tab(), .downloads = hf_downloads_new(folder)};
    HfCdpListener listener = {on_event, on_closed, &owner};
    owner.cdp = hf_cdp_new(answers[0], commands[1], &listener);
    HfDeadline deadline = hf_deadline_in_ms(1000, NULL);
    gint64 id = hf_cdp_begin(owner.cdp, "S", "A.b", NULL);
    ssize_t written = write(answers[1], data, size);
    (void)written;
    close(answers[1]);
    g_autoptr(json_t) answer = hf_cdp_finish(owner.cdp, id, &deadline, NULL);
    hf_cdp_free(owner.cdp);
    close(commands[0]);
    hf_tab_unref(owner.tab);
    hf_downloads_free(owner.downloads);
    hf_remove_tree(folder);
}

static void ask_for_way(const guint8 *data, size_t size)
{
    int fds[2];
    g_autofree char *host = NULL;
    guint16 port;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
        return;
    ssize_t sent = send(fds[0], data, size, MSG_NOSIGNAL);
    (void)sent;
    shutdown(fds[0], SHUT_WR);
    if (hf_socks_greet(fds[1]) && hf_socks_read_request(fds[1], &host, &port))
        g_assert(*host && strlen(host) <= 255);
    close(fds[0]);
    close(fds[1]);
}

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
    if (size > 32 * 1024) /* more than a pipe surely holds would wait for its reader */
        return 0;
    g_autoptr(json_t) message = hf_cdp_message_parse((const char *)data, size);
    if (message) {
        g_autofree char *text = json_is_object(message) ? hf_json_dump(message) : NULL;
        g_assert(!text || g_utf8_validate(text, -1, NULL));
    }
    hear_all(data, size);
    ask_for_way(data, size);
    return 0;
}
