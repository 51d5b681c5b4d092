/* SPDX-License-Identifier: Apache-2.0 */
/* A saved clipboard that somebody has tampered with. */
#include <glib.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hand/x11/selection/clipboard-data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("saved", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        g_assert_not_reached();
    g_autoptr(HfClipboardFile) file = hf_clipboard_file_new_inherited("/nonexistent", fd);
    g_autoptr(HfClipboardData) content = hf_clipboard_file_load(file);
    guint count = content ? hf_clipboard_data_get_count(content) : 0;
    for (guint i = 0; i < count; i++) {
        const HfClipboardFormat *format = hf_clipboard_data_get(content, i);
        g_assert_cmpuint(g_bytes_get_size(format->bytes), <=, size);
        g_assert_true(format->unit == 8 || format->unit == 16 || format->unit == 32);
    }
    return 0;
}
