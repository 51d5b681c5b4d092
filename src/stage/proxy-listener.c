/* SPDX-License-Identifier: Apache-2.0 */
/* A socket belongs to the network in which it was made. So the stage makes the listener, inside of
 * the container, and the proxy, which gets it from the desk, accepts from outside what comes to it.
 * It is made before any program runs: nobody else can have the port. */
#include "stage/proxy-listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/wire/proxy-protocol.h"

gboolean hf_proxy_listener_open(HfEnvironment *environment, int *ret_listener, GError **error)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)},
                                  .sin_port = htons(HF_PROXY_PORT)};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener >= 0 && bind(listener, (struct sockaddr *)&address, sizeof address) == 0 &&
        listen(listener, SOMAXCONN) == 0) {
        hf_environment_use_proxy(environment, HF_PROXY_PORT);
        *ret_listener = listener;
        return TRUE;
    }
    hf_fail(error, HF_ERROR_INTERNAL, "cannot listen for the proxy: %s", g_strerror(errno));
    if (listener >= 0)
        close(listener);
    return FALSE;
}
