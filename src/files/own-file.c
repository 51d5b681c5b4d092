/* The name is given last. */
#include "files/own-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/id.h"
#include "files/fd.h"

gboolean hf_own_file_write_all(int fd, gconstpointer data, gsize size)
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

static gboolean give_name(int directory, const char *aside, const char *name, gboolean replace)
{
    if (replace)
        return renameat(directory, aside, directory, name) == 0;
    return linkat(directory, aside, directory, name, 0) == 0;
}

gboolean hf_own_file_write(int directory, const char *name, gconstpointer data, gsize size,
                           gboolean replace)
{
    g_autofree char *aside = hf_id_new("new");
    g_auto(HfFd) fd =
        openat(directory, aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return FALSE;
    gboolean done = hf_own_file_write_all(fd, data, size) && fsync(fd) == 0 &&
                    give_name(directory, aside, name, replace);
    int number = errno;
    if (!done || !replace)
        unlinkat(directory, aside, 0);
    errno = number;
    return done && fsync(directory) == 0;
}
