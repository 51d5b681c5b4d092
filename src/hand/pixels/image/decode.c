/* SPDX-License-Identifier: Apache-2.0 */
/* PNG by libspng, which keeps no chunks beyond a limit. It is loaded with the first picture, since
 * most processes never see one.
 *
 * JPEG by libjpeg-turbo. It only warns about broken data, but text that is not there must not be
 * read, so a warning is an error here. It reports errors by longjmp. The jump ends here and must
 * never pass a function that owns something. */
#include "hand/pixels/image/decode.h"

#include <setjmp.h>
#include <spng.h>
#include <stdio.h>
#include <string.h>
/* jpeglib.h needs FILE and size_t. */
#include <jerror.h>
#include <jpeglib.h>

#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"
#include "shared/base/library.h"
#include "shared/base/limits.h"

#define CHUNK_BYTES ((size_t)1024 * 1024)
/* Scans of a progressive JPEG: each costs as much as the whole picture. */
#define MOST_SCANS 64

static gboolean check_image_size(gint64 width, gint64 height, GError **error)
{
    if (width < 1 || height < 1)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "image: %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                       " pixels: the picture is empty",
                       width, height);
    if (width <= HF_LIMIT_SCREEN_EDGE && height <= HF_LIMIT_SCREEN_EDGE &&
        width * height <= HF_LIMIT_IMAGE_PIXELS)
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                   "image: %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                   " pixels are too many; give a picture of at most %u pixels and %d along an edge",
                   width, height, HF_LIMIT_IMAGE_PIXELS, HF_LIMIT_SCREEN_EDGE);
}

/* ---- PNG ---- */

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

static const HfSymbol spng_symbols[] = {FUNCTIONS(HF_LIBRARY_SYMBOL){0}};

static const Functions *find_spng_library(GError **error)
{
    static HfLibrary library = {.file = "libspng.so.0",
                                .purpose = "reads PNG pictures",
                                .install = "libspng0",
                                .symbols = spng_symbols,
                                .size = sizeof(Functions),
                                .once = G_ONCE_INIT};
    return hf_library_get(&library, error);
}

static gboolean fail_png(const Functions *library, int code, GError **error)
{
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: the PNG picture is broken: %s",
                   library->spng_strerror(code));
}

/* Blends with white. `keep_alpha` stores alpha in the otherwise undefined byte. */
static void pack_png_row(const guint8 *rgba, guint32 *to, int width, gboolean keep_alpha)
{
    for (int x = 0; x < width; x++) {
        const guint8 *from = rgba + (gsize)x * 4;
        guint32 alpha = from[3], pixel = 0;
        for (int i = 0; i < 3; i++)
            pixel = pixel << 8 | (from[i] * alpha + 255 * (255 - alpha) + 127) / 255;
        to[x] = keep_alpha ? alpha << 24 | pixel : pixel;
    }
}

static gboolean decode_png_rows(const Functions *library, spng_ctx *png, HfImage *image,
                                gboolean keep_alpha, GError **error)
{
    gsize length = (gsize)image->width * 4;
    g_autofree guint8 *all = g_try_malloc(length * (gsize)image->height);
    if (!all)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "image: %dx%d pixels: not enough memory; give a smaller picture",
                       image->width, image->height);
    int code = library->spng_decode_image(png, all, length * (gsize)image->height, SPNG_FMT_RGBA8,
                                          SPNG_DECODE_TRNS);
    if (code)
        return fail_png(library, code, error);
    for (int y = 0; y < image->height; y++)
        pack_png_row(all + (gsize)y * length, hf_image_row(image, y), image->width, keep_alpha);
    return TRUE;
}

/* Reads the size from the header, since the library would call very large pictures broken. */
static gboolean check_png_size(const guint8 *bytes, gsize size, GError **error)
{
    guint32 edges[2];
    if (size < 24)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: the PNG picture is incomplete");
    memcpy(edges, bytes + 16, sizeof edges);
    return check_image_size(GUINT32_FROM_BE(edges[0]), GUINT32_FROM_BE(edges[1]), error);
}

static HfImage *decode_png_image(const Functions *library, spng_ctx *png, const guint8 *bytes,
                                 gsize size, gboolean keep_alpha, GError **error)
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
    return decode_png_rows(library, png, image, keep_alpha, error) ? g_steal_pointer(&image) : NULL;
}

static HfImage *decode_png(const guint8 *bytes, gsize size, gboolean keep_alpha, GError **error)
{
    const Functions *library = find_spng_library(error);
    if (!library || !check_png_size(bytes, size, error))
        return NULL;
    spng_ctx *png = library->spng_ctx_new(0);
    HfImage *image = decode_png_image(library, png, bytes, size, keep_alpha, error);
    library->spng_ctx_free(png);
    return image;
}

/* ---- JPEG ---- */

typedef struct Decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    char message[JMSG_LENGTH_MAX];
} Decoder;

static void on_jpeg_decode_error(j_common_ptr jpeg)
{
    Decoder *decoder = jpeg->client_data;
    jpeg->err->format_message(jpeg, decoder->message);
    longjmp(decoder->failed, 1);
}

static void on_jpeg_decode_warning(j_common_ptr jpeg, int level)
{
    if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA)
        on_jpeg_decode_error(jpeg);
}

static void on_jpeg_decode_progress(j_common_ptr jpeg)
{
    Decoder *decoder = jpeg->client_data;
    if (decoder->jpeg.input_scan_number <= MOST_SCANS)
        return;
    g_strlcpy(decoder->message, "too many scans", sizeof decoder->message);
    longjmp(decoder->failed, 1);
}

static gboolean read_jpeg_size(Decoder *decoder, const guint8 *bytes, gsize size)
{
    if (setjmp(decoder->failed))
        return FALSE;
    jpeg_create_decompress(&decoder->jpeg);
    decoder->progress.progress_monitor = on_jpeg_decode_progress;
    decoder->jpeg.progress = &decoder->progress;
    jpeg_mem_src(&decoder->jpeg, bytes, size);
    jpeg_read_header(&decoder->jpeg, TRUE);
    return TRUE;
}

static gboolean read_jpeg_pixels(Decoder *decoder, HfImage *image)
{
    if (setjmp(decoder->failed))
        return FALSE;
    decoder->jpeg.out_color_space = JCS_EXT_BGRX;
    jpeg_start_decompress(&decoder->jpeg);
    while (decoder->jpeg.output_scanline < decoder->jpeg.output_height) {
        JSAMPROW row = (JSAMPROW)hf_image_row(image, (int)decoder->jpeg.output_scanline);
        jpeg_read_scanlines(&decoder->jpeg, &row, 1);
    }
    jpeg_finish_decompress(&decoder->jpeg);
    return TRUE;
}

static gboolean fail_jpeg(const Decoder *decoder, GError **error)
{
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: the JPEG picture is broken: %s",
                   decoder->message);
}

static HfImage *decode_jpeg(const guint8 *bytes, gsize size, GError **error)
{
    g_autofree Decoder *decoder = g_new0(Decoder, 1);
    g_autoptr(HfImage) image = NULL;
    gboolean read = FALSE;
    decoder->jpeg.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = on_jpeg_decode_error;
    decoder->errors.emit_message = on_jpeg_decode_warning;
    decoder->jpeg.client_data = decoder;
    if (!read_jpeg_size(decoder, bytes, size))
        fail_jpeg(decoder, error);
    else if (check_image_size(decoder->jpeg.image_width, decoder->jpeg.image_height, error)) {
        image = hf_image_new((int)decoder->jpeg.image_width, (int)decoder->jpeg.image_height);
        read = read_jpeg_pixels(decoder, image);
        if (!read)
            fail_jpeg(decoder, error);
    }
    jpeg_destroy_decompress(&decoder->jpeg);
    return read ? g_steal_pointer(&image) : NULL;
}

/* ---- either ---- */

static gboolean is_png(const guint8 *bytes, gsize size)
{
    static const guint8 png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return size >= sizeof png && memcmp(bytes, png, sizeof png) == 0;
}

HfImage *hf_image_decode(const guint8 *bytes, gsize size, GError **error)
{
    static const guint8 jpeg[] = {0xff, 0xd8};
    if (is_png(bytes, size))
        return decode_png(bytes, size, FALSE, error);
    if (size >= sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0)
        return decode_jpeg(bytes, size, error);
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "image: the %" G_GSIZE_FORMAT " bytes are neither a PNG nor a JPEG picture", size);
    return NULL;
}

HfImage *hf_image_decode_alpha(const guint8 *bytes, gsize size, GError **error)
{
    if (is_png(bytes, size))
        return decode_png(bytes, size, TRUE, error);
    HfImage *image = hf_image_decode(bytes, size, error);
    for (int y = 0; image && y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            hf_image_row(image, y)[x] |= 0xff000000;
    return image;
}
