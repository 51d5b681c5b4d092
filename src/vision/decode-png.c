/* PNG by libspng, with its limits set: chunks that are not needed are not kept. */
#include <spng.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "vision/decode.h"

#define CHUNK_BYTES ((size_t)1024 * 1024)

static gboolean fail_png(int code, GError **error)
{
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: the PNG picture is broken: %s",
                   spng_strerror(code));
}

static void pack_row(const guint8 *rgba, guint32 *to, int width)
{
    for (int x = 0; x < width; x++) {
        const guint8 *from = rgba + (gsize)x * 4;
        guint32 alpha = from[3], pixel = 0;
        for (int i = 0; i < 3; i++)
            pixel = pixel << 8 | (from[i] * alpha + 255 * (255 - alpha) + 127) / 255;
        to[x] = pixel;
    }
}

static gboolean decode_rows(spng_ctx *png, HfImage *image, GError **error)
{
    gsize length = (gsize)image->width * 4;
    g_autofree guint8 *all = g_try_malloc(length * (gsize)image->height);
    if (!all)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "image: there is no memory for it");
    int code = spng_decode_image(png, all, length * (gsize)image->height, SPNG_FMT_RGBA8,
                                 SPNG_DECODE_TRNS);
    if (code)
        return fail_png(code, error);
    for (int y = 0; y < image->height; y++)
        pack_row(all + (gsize)y * length, hf_image_row(image, y), image->width);
    return TRUE;
}

/* Where every PNG says how large it is. The library would call the largest ones broken. */
static gboolean check_size(const guint8 *bytes, gsize size, GError **error)
{
    guint32 edges[2];
    if (size < 24)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: the PNG picture is cut off");
    memcpy(edges, bytes + 16, sizeof edges);
    return hf_image_check_size(GUINT32_FROM_BE(edges[0]), GUINT32_FROM_BE(edges[1]), error);
}

static HfImage *decode(spng_ctx *png, const guint8 *bytes, gsize size, GError **error)
{
    struct spng_ihdr header;
    if (!check_size(bytes, size, error))
        return NULL;
    spng_set_image_limits(png, 0x7fffffff, 0x7fffffff);
    spng_set_chunk_limits(png, CHUNK_BYTES, CHUNK_BYTES);
    int code = spng_set_png_buffer(png, bytes, size);
    if (!code)
        code = spng_get_ihdr(png, &header);
    if (code) {
        fail_png(code, error);
        return NULL;
    }
    if (!hf_image_check_size(header.width, header.height, error))
        return NULL;
    g_autoptr(HfImage) image = hf_image_new((int)header.width, (int)header.height);
    return decode_rows(png, image, error) ? g_steal_pointer(&image) : NULL;
}

HfImage *hf_png_decode(const guint8 *bytes, gsize size, GError **error)
{
    spng_ctx *png = spng_ctx_new(0);
    HfImage *image = decode(png, bytes, size, error);
    spng_ctx_free(png);
    return image;
}
