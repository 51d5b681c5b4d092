/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target without a fuzzing engine: its seeds, then random changes of them for a bounded
 * time. The short form for every test run; `make fuzz` uses libFuzzer. */
#include <glib.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RUN_US     (2 * G_USEC_PER_SEC)
#define MOST_BYTES 4096

/* What the target is looking at, so that an abort can be reproduced. */
static const guint8 *current;
static size_t current_size;

static void print_input_and_abort(int number)
{
    static const char intro[] = "input, as hex: ";
    (void)!write(STDERR_FILENO, intro, sizeof intro - 1);
    for (size_t i = 0; i < current_size; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", current[i]);
        (void)!write(STDERR_FILENO, digits, 2);
    }
    (void)!write(STDERR_FILENO, "\n", 1);
    signal(number, SIG_DFL);
    raise(number);
}

static void change(GRand *random, GByteArray *bytes)
{
    guint32 at = bytes->len ? (guint32)g_rand_int_range(random, 0, (gint32)bytes->len) : 0;
    guint8 byte = (guint8)g_rand_int(random);
    static const guint8 telling[] = {0, 0xff, '"', '{', '}', '[', ']', '\\', '\n', 0x80, 0x7f};
    if (g_rand_boolean(random))
        byte = telling[byte % sizeof telling];
    switch (g_rand_int_range(random, 0, 4)) {
    case 0:
        if (bytes->len)
            bytes->data[at] = byte;
        break;
    case 1:
        if (bytes->len)
            g_byte_array_remove_index(bytes, at);
        break;
    case 2:
        g_byte_array_append(bytes, &byte, 1);
        break;
    default:
        if (bytes->len && bytes->len < MOST_BYTES / 2) {
            g_autofree guint8 *copy = g_memdup2(bytes->data, bytes->len);
            g_byte_array_append(bytes, copy + at, bytes->len - at);
        }
    }
}

static GPtrArray *load_seeds(const char *folder)
{
    GPtrArray *seeds = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_ptr_array_add(seeds, g_bytes_new("", 0));
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autofree char *text = NULL;
        gsize size;
        if (g_file_get_contents(path, &text, &size, NULL))
            g_ptr_array_add(seeds, g_bytes_new(text, size));
    }
    return seeds;
}

int main(int argc, char **argv)
{
    g_autoptr(GPtrArray) seeds = load_seeds(argc > 1 ? argv[1] : ".");
    GRand *random = g_rand_new();
    signal(SIGABRT, print_input_and_abort);
    guint64 runs = 0;
    for (gint64 end = g_get_monotonic_time() + RUN_US; g_get_monotonic_time() < end; runs++) {
        gsize size;
        const guint8 *seed = g_bytes_get_data(seeds->pdata[runs % seeds->len], &size);
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        g_byte_array_append(bytes, seed, (guint)size);
        for (int i = runs < seeds->len ? 0 : g_rand_int_range(random, 1, 16); i > 0; i--)
            change(random, bytes);
        current = bytes->data;
        current_size = bytes->len;
        LLVMFuzzerTestOneInput(bytes->data, bytes->len);
    }
    g_rand_free(random);
    g_print("%" G_GUINT64_FORMAT " runs\n", runs);
    return 0;
}
