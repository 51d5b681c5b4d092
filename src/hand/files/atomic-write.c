/* SPDX-License-Identifier: Apache-2.0 */
/* The name comes last: whoever sees the file sees all of it. */
#include "hand/files/atomic-write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "shared/base/fd.h"
#include "shared/base/id.h"

gboolean hf_atomic_write_bytes(int fd, gconstpointer data, gsize size)
{
    const guint8 *bytes = data;
    while (size > 0) {
        ssize_t done = write(fd, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return FALSE;
        bytes += done;
        size -= (gsize)done;
    }
    return TRUE;
}

void hf_atomic_write_sync_directory(int directory)
{
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", directory);
    g_auto(HfFd) fd = open(link, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        fsync(fd);
}
gboolean hf_atomic_write(int directory, const char *name, gconstpointer data, gsize size,
                         gboolean replace)
{
    g_autofree char *aside = hf_id_new("new");
    g_auto(HfFd) fd =
        openat(directory, aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return FALSE;
    gboolean done = hf_atomic_write_bytes(fd, data, size) && fsync(fd) == 0 &&
                    (replace ? renameat(directory, aside, directory, name)
                             : linkat(directory, aside, directory, name, 0)) == 0;
    int number = errno;
    if (!done || !replace)
        unlinkat(directory, aside, 0);
    errno = number;
    return done && fsync(directory) == 0;
}
