/* SPDX-License-Identifier: Apache-2.0 */
/* A memfd with all seals: the receiver can map it without the risk that it shrinks. */
#include "shared/wire/sealed-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/base/error.h"

static gboolean write_sealed_bytes(int fd, GBytes *bytes)
{
    gsize size, done = 0;
    const char *data = g_bytes_get_data(bytes, &size);
    while (done < size) {
        ssize_t wrote = pwrite(fd, data + done, size - done, (off_t)done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return FALSE;
        done += (gsize)wrote;
    }
    return TRUE;
}

int hf_sealed_memory_new(GBytes *bytes, GError **error)
{
    int fd = memfd_create("handfast", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && write_sealed_bytes(fd, bytes) &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0)
        return fd;
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "cannot create a memory file of %zu bytes: %s",
            g_bytes_get_size(bytes), g_strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}
