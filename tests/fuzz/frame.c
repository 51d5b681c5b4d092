/* SPDX-License-Identifier: Apache-2.0 */
/* Frames from another process: any bytes, never a crash, a leak or memory without limit. */
#include "shared/wire/frame.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("frame", MFD_CLOEXEC);
    if (write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0) {
        HfFrame *frame;
        while ((frame = hf_frame_read(fd, NULL)))
            hf_frame_free(frame);
    }
    close(fd);
    return 0;
}
