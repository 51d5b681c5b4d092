/* SPDX-License-Identifier: Apache-2.0 */
/* Saves the picture of an answer. */
#include "cli/picture-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/json.h"

static char *make_name(const json_t *result, const char *tool)
{
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    g_autofree char *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");
    gboolean png = g_str_equal(hf_json_string(result, "format", "jpeg"), "png");
    return g_strdup_printf("%s-%s-%03d.%s", tool, stamp, g_date_time_get_microsecond(now) / 1000,
                           png ? "png" : "jpg");
}

/* Writes to the file itself, which may be a device or a pipe, and truncates a longer one. */
static gboolean write_over(const char *path, const guchar *bytes, gsize size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file)
        return FALSE;
    gboolean written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

gboolean hf_picture_file_save(json_t *result, const char *tool, const char *output, GError **error)
{
    const char *base64 = hf_json_string(result, "image", NULL);
    if (!base64)
        return TRUE;
    gsize size;
    g_autofree guchar *bytes = g_base64_decode(base64, &size);
    g_autofree char *path = output ? g_strdup(output) : make_name(result, tool);
    json_object_del(result, "image");
    if (g_str_equal(path, "-"))
        return fwrite(bytes, 1, size, stdout) == size ||
               hf_fail(error, HF_ERROR_STORAGE_FAILED,
                       "cannot write the picture to standard output");
    if (!write_over(path, bytes, size))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the picture: %s: %s", path,
                       g_strerror(errno));
    json_object_set_new(result, "file", hf_json_text(path));
    json_object_set_new(result, "bytes", json_integer((json_int_t)size));
    return TRUE;
}
