/* SPDX-License-Identifier: Apache-2.0 */
/* PNG by libspng, with its limits set: chunks that are not needed are not kept. It is loaded with
 * the first picture that a caller gives, since most processes never see one. */
#include <spng.h>
#include <string.h>

#include "hand/pixels/image/decode.h"
#include "shared/base/error.h"
#include "shared/base/library.h"

#define FUNCTIONS(X)                                                                               \
    X(spng_ctx_free)                                                                               \
    X(spng_ctx_new)                                                                                \
    X(spng_decode_image)                                                                           \
    X(spng_get_ihdr)                                                                               \
    X(spng_set_chunk_limits)                                                                       \
    X(spng_set_image_limits)                                                                       \
    X(spng_set_png_buffer)                                                                         \
    X(spng_strerror)

typedef struct Functions {
    FUNCTIONS(HF_LIBRARY_MEMBER)
} Functions;

#define CHUNK_BYTES ((size_t)1024 * 1024)

static const HfSymbol symbols[] = {FUNCTIONS(HF_LIBRARY_SYMBOL){0}};

static const Functions *find_spng_library(GError **error)
{
    static HfLibrary library = {.file = "libspng.so.0",
                                .purpose = "reads PNG pictures",
                                .install = "libspng0",
                                .symbols = symbols,
                                .size = sizeof(Functions),
                                .once = G_ONCE_INIT};
    return hf_library_get(&library, error);
}

static gboolean fail_png(const Functions *library, int code, GError **error)
{
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: the PNG picture is broken: %s",
                   library->spng_strerror(code));
}

/* On white; `keep_alpha` keeps how much of it there is in the byte that means nothing otherwise. */
static void pack_row(const guint8 *rgba, guint32 *to, int width, gboolean keep_alpha)
{
    for (int x = 0; x < width; x++) {
        const guint8 *from = rgba + (gsize)x * 4;
        guint32 alpha = from[3], pixel = 0;
        for (int i = 0; i < 3; i++)
            pixel = pixel << 8 | (from[i] * alpha + 255 * (255 - alpha) + 127) / 255;
        to[x] = keep_alpha ? alpha << 24 | pixel : pixel;
    }
}

static gboolean decode_rows(const Functions *library, spng_ctx *png, HfImage *image,
                            gboolean keep_alpha, GError **error)
{
    gsize length = (gsize)image->width * 4;
    g_autofree guint8 *all = g_try_malloc(length * (gsize)image->height);
    if (!all)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "image: there is no memory for it");
    int code = library->spng_decode_image(png, all, length * (gsize)image->height, SPNG_FMT_RGBA8,
                                          SPNG_DECODE_TRNS);
    if (code)
        return fail_png(library, code, error);
    for (int y = 0; y < image->height; y++)
        pack_row(all + (gsize)y * length, hf_image_row(image, y), image->width, keep_alpha);
    return TRUE;
}

/* Where every PNG says how large it is. The library would call the largest ones broken. */
static gboolean check_png_size(const guint8 *bytes, gsize size, GError **error)
{
    guint32 edges[2];
    if (size < 24)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: the PNG picture is cut off");
    memcpy(edges, bytes + 16, sizeof edges);
    return hf_image_check_size(GUINT32_FROM_BE(edges[0]), GUINT32_FROM_BE(edges[1]), error);
}

static HfImage *decode_png(const Functions *library, spng_ctx *png, const guint8 *bytes, gsize size,
                           gboolean keep_alpha, GError **error)
{
    struct spng_ihdr header;
    library->spng_set_image_limits(png, 0x7fffffff, 0x7fffffff);
    library->spng_set_chunk_limits(png, CHUNK_BYTES, CHUNK_BYTES);
    int code = library->spng_set_png_buffer(png, bytes, size);
    if (!code)
        code = library->spng_get_ihdr(png, &header);
    if (code) {
        fail_png(library, code, error);
        return NULL;
    }
    g_autoptr(HfImage) image = hf_image_new((int)header.width, (int)header.height);
    return decode_rows(library, png, image, keep_alpha, error) ? g_steal_pointer(&image) : NULL;
}

HfImage *hf_png_decode(const guint8 *bytes, gsize size, gboolean keep_alpha, GError **error)
{
    const Functions *library = find_spng_library(error);
    if (!library || !check_png_size(bytes, size, error))
        return NULL;
    spng_ctx *png = library->spng_ctx_new(0);
    HfImage *image = decode_png(library, png, bytes, size, keep_alpha, error);
    library->spng_ctx_free(png);
    return image;
}
