/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor that closes when it goes out of scope: g_auto(HfFd) fd = -1. */
#pragma once

#include <glib.h>
#include <unistd.h>

typedef int HfFd;

static inline void hf_fd_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfFd, hf_fd_close)

static inline int hf_fd_steal(int *fd)
{
    int stolen = *fd;
    *fd = -1;
    return stolen;
}
