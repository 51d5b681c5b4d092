/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text of each picture that is named, as the hand does it, and writes one line of JSON
 * for each: what screen_ocr would say of it. Started as "reader" it is one, as every program that
 * reads must be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand/pixels/image/decode.h"
#include "hand/pixels/ocr/ocr-page-json.h"
#include "hand/pixels/ocr/ocr-reader-pool.h"
#include "hand/pixels/ocr/ocr-reader.h"
#include "shared/base/error.h"

#define LIMIT_MS 120000

static json_t *read_picture(const char *path, GError **error)
{
    g_autofree char *bytes = NULL;
    gsize size;
    if (!g_file_get_contents(path, &bytes, &size, error))
        return NULL;
    g_autoptr(HfImage) image = hf_image_decode((const guint8 *)bytes, size, error);
    if (!image)
        return NULL;
    gint64 start = g_get_monotonic_time();
    HfDeadline deadline = hf_deadline_in_ms(LIMIT_MS, NULL);
    g_autoptr(HfOcrPage) page = hf_ocr_page_new(image, "auto");
    gint64 found = g_get_monotonic_time();
    if (!hf_ocr_page_read(page, &deadline, error))
        return NULL;
    json_t *json = hf_ocr_page_to_json(page, (HfPoint){0, 0}, HF_OCR_PAGE_WORDS);
    json_object_set_new(json, "found_us", json_integer(found - start));
    json_object_set_new(json, "read_us", json_integer(g_get_monotonic_time() - found));
    return json;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "reader") == 0)
        return hf_ocr_reader_main(argc - 1, argv + 1);
    for (int i = 1; i < argc; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) json = read_picture(argv[i], &error);
        if (!json) {
            g_printerr("%s: %s\n", argv[i], error->message);
            return EXIT_FAILURE;
        }
        g_autofree char *text = hf_json_dump(json);
        puts(text);
        fflush(stdout);
    }
    hf_ocr_reader_pool_stop();
    return EXIT_SUCCESS;
}
