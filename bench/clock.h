/* SPDX-License-Identifier: Apache-2.0 */
/* The one clock that every contender stamps with: nanoseconds of CLOCK_MONOTONIC, which Node's
 * process.hrtime and Python's time.monotonic_ns read as well. */
#pragma once

#include <stdint.h>
#include <time.h>

static inline int64_t bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
