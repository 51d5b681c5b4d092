/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target without a fuzzing engine: its seeds, then random changes of them for a bounded
 * time. The short form for every test run; `make fuzz` uses libFuzzer. */
#include <glib.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RUN_US     (2 * G_USEC_PER_SEC)
#define MOST_BYTES 4096

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
    guint64 runs = 0;
    for (gint64 end = g_get_monotonic_time() + RUN_US; g_get_monotonic_time() < end; runs++) {
        gsize size;
        const guint8 *seed = g_bytes_get_data(seeds->pdata[runs % seeds->len], &size);
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        g_byte_array_append(bytes, seed, (guint)size);
        for (int i = runs < seeds->len ? 0 : g_rand_int_range(random, 1, 16); i > 0; i--)
            change(random, bytes);
        LLVMFuzzerTestOneInput(bytes->data, bytes->len);
    }
    g_rand_free(random);
    g_print("%" G_GUINT64_FORMAT " runs\n", runs);
    return 0;
}
