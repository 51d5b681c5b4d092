/* SPDX-License-Identifier: Apache-2.0 */
/* Servers write to a pipe and the stage to the file, so that the file stays bounded. A server
 * never waits: what cannot be written is dropped. */
#include "stage/server-log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "stage/stage-limits.h"

#define TAIL_BYTES 400

static int open_log_file(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
}

gboolean hf_server_log_open(HfServerLog *log, const char *folder, const char *name, GError **error)
{
    int ends[2];
    g_autofree char *path = g_strdup_printf("%s/%s.log", folder, name);
    int file = open_log_file(path);
    if (file < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", path,
                       g_strerror(errno));
    if (pipe2(ends, O_CLOEXEC) < 0) {
        close(file);
        return hf_fail(error, HF_ERROR_INTERNAL, "cannot create a pipe: %s", g_strerror(errno));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *log = (HfServerLog){g_steal_pointer(&path), ends[0], ends[1], file, 0};
    return TRUE;
}

static void turn_over(HfServerLog *log)
{
    g_autofree char *old = g_strconcat(log->path, ".old", NULL);
    int file;
    rename(log->path, old);
    if ((file = open_log_file(log->path)) < 0)
        return;
    close(log->file);
    log->file = file;
    log->size = 0;
}

void hf_server_log_take(HfServerLog *log)
{
    char buffer[4096];
    ssize_t length = read(log->input, buffer, sizeof buffer);
    if (length <= 0)
        return;
    if (log->size + (gsize)length > HF_LIMIT_LOG_BYTES)
        turn_over(log);
    if (log->size + (gsize)length <= HF_LIMIT_LOG_BYTES &&
        write(log->file, buffer, (gsize)length) == length)
        log->size += (gsize)length;
}

char *hf_server_log_dup_tail(HfServerLog *log)
{
    char buffer[TAIL_BYTES + 1];
    hf_server_log_take(log);
    off_t from = (off_t)(log->size > TAIL_BYTES ? log->size - TAIL_BYTES : 0);
    ssize_t length = pread(log->file, buffer, TAIL_BYTES, from);
    buffer[MAX(length, 0)] = 0;
    g_autofree char *text = g_utf8_make_valid(buffer, -1);
    g_strdelimit(text, "\r\n\t", ' ');
    return g_strdup(g_strstrip(text));
}

void hf_server_log_clear(HfServerLog *log)
{
    if (!log->path)
        return;
    close(log->input);
    close(log->output);
    close(log->file);
    g_clear_pointer(&log->path, g_free);
}
