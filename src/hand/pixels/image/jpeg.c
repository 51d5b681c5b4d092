/* SPDX-License-Identifier: Apache-2.0 */
/* A JPEG is encoded in stripes, each as a separate picture on whichever core is free. They are
 * joined at restart markers, where a decoder begins anew, just as an encoder does at the beginning
 * of a picture. So every stripe but the last has the same number of whole blocks, and the pixels
 * are those of a picture encoded in one piece.
 *
 * libjpeg-turbo takes rows, so that they are scaled and encoded while they are in the cache. It
 * reports errors by longjmp. The jump ends here and must never pass a function that owns
 * something. */
#include "hand/pixels/image/jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
/* jpeglib.h needs FILE and size_t. */
#include <jpeglib.h>

#include "hand/pixels/image/scale.h"
#include "shared/base/error.h"
#include "shared/base/parallel.h"

/* Limits of the format or the library. */
#define MAX_EDGE     65500
#define MAX_INTERVAL 65535
/* Threads do not pay off for smaller pictures. */
#define SHARED_PIXELS (256 * 1024)
/* At least two for each thread, so that a thread whose core is busy leaves work to the others. */
#define STRIPES      8
#define MOST_THREADS 4
/* The first size of the buffer: enough for a screen at a usual quality. */
#define BYTES_FOR_HEADERS 4096
#define PIXELS_FOR_A_BYTE 4
/* Colours have half the resolution, so blocks have this height. A stripe has whole blocks. */
#define BLOCK      16
#define GREY_BLOCK 8

/* Rows of a picture as a separate JPEG. */
typedef struct JpegRows {
    HfScaler *scaler; /* gives the rows; used by one thread */
    int width;        /* of the scaled rows */
    int first, count;
    int quality;
    gboolean grey;
    int restart_interval; /* in blocks, or 0: only written into the header */
} JpegRows;

typedef struct Encoder {
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr sink;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    char message[JMSG_LENGTH_MAX];
    const JpegRows *rows;
    guint32 *room; /* one row of blocks */
    guint8 *bytes;
    gsize size; /* of `bytes`; the sink knows how much is free */
} Encoder;

static void on_jpeg_encode_error(j_common_ptr jpeg)
{
    Encoder *encoder = jpeg->client_data;
    jpeg->err->format_message(jpeg, encoder->message);
    longjmp(encoder->failed, 1);
}

static void ignore_jpeg_message(j_common_ptr jpeg)
{
}

static void end_jpeg_bytes(j_compress_ptr jpeg)
{
}

static void begin_jpeg_bytes(j_compress_ptr jpeg)
{
    Encoder *encoder = jpeg->client_data;
    gsize pixels = (gsize)encoder->rows->width * (gsize)encoder->rows->count;
    encoder->size = BYTES_FOR_HEADERS + pixels / PIXELS_FOR_A_BYTE;
    encoder->bytes = g_malloc(encoder->size);
    encoder->sink.next_output_byte = encoder->bytes;
    encoder->sink.free_in_buffer = encoder->size;
}

/* Called when the whole buffer is full, whatever the sink says. */
static boolean grow_jpeg_bytes(j_compress_ptr jpeg)
{
    Encoder *encoder = jpeg->client_data;
    encoder->bytes = g_realloc(encoder->bytes, 2 * encoder->size);
    encoder->sink.next_output_byte = encoder->bytes + encoder->size;
    encoder->sink.free_in_buffer = encoder->size;
    encoder->size *= 2;
    return TRUE;
}

static void set_up_jpeg_encoder(Encoder *encoder)
{
    struct jpeg_compress_struct *jpeg = &encoder->jpeg;
    encoder->sink = (struct jpeg_destination_mgr){.init_destination = begin_jpeg_bytes,
                                                  .empty_output_buffer = grow_jpeg_bytes,
                                                  .term_destination = end_jpeg_bytes};
    jpeg->dest = &encoder->sink;
    jpeg->image_width = (JDIMENSION)encoder->rows->width;
    jpeg->image_height = (JDIMENSION)encoder->rows->count;
    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(jpeg); /* 4:2:0 among them */
    if (encoder->rows->grey)
        jpeg_set_colorspace(jpeg, JCS_GRAYSCALE);
    jpeg_set_quality(jpeg, encoder->rows->quality, TRUE);
    jpeg->restart_interval = (unsigned int)encoder->rows->restart_interval;
}

static void write_jpeg_rows(Encoder *encoder)
{
    struct jpeg_compress_struct *jpeg = &encoder->jpeg;
    JSAMPROW rows[BLOCK];
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JDIMENSION count = MIN(BLOCK, jpeg->image_height - jpeg->next_scanline);
        int first = encoder->rows->first + (int)jpeg->next_scanline;
        for (JDIMENSION i = 0; i < count; i++)
            rows[i] = (JSAMPROW)hf_scaler_get_row(encoder->rows->scaler, first + (int)i,
                                                  encoder->room + (gsize)i * jpeg->image_width);
        jpeg_write_scanlines(jpeg, rows, count);
    }
    jpeg_finish_compress(jpeg);
}

/* The only function that the library jumps back to. It owns nothing. */
static gboolean encode_all_rows(Encoder *encoder)
{
    if (setjmp(encoder->failed))
        return FALSE;
    set_up_jpeg_encoder(encoder);
    write_jpeg_rows(encoder);
    return TRUE;
}

static GBytes *encode_jpeg_rows(const JpegRows *rows, GError **error)
{
    Encoder encoder = {.rows = rows};
    encoder.jpeg.err = jpeg_std_error(&encoder.errors);
    encoder.jpeg.client_data = &encoder;
    encoder.errors.error_exit = on_jpeg_encode_error;
    encoder.errors.output_message = ignore_jpeg_message;
    g_autofree guint32 *room = g_new(guint32, BLOCK * (gsize)rows->width);
    encoder.room = room;
    jpeg_create_compress(&encoder.jpeg);
    gboolean done = encode_all_rows(&encoder);
    jpeg_destroy_compress(&encoder.jpeg);
    if (done)
        return g_bytes_new_take(encoder.bytes, encoder.size - encoder.sink.free_in_buffer);
    g_free(encoder.bytes);
    hf_fail(error, HF_ERROR_INTERNAL, "JPEG encoding failed: %s", encoder.message);
    return NULL;
}

/* ---- stripes ---- */

/* The second byte of a marker; the first is 0xff. */
enum { FRAME = 0xc0, RESTART = 0xd0, SCAN = 0xda };

typedef struct Stripe {
    GBytes *jpeg;
    GError *error;
} Stripe;

typedef struct StripeWork {
    const HfScaler *scaler;
    HfSize size;
    int quality;
    gboolean grey;
    int block_rows; /* of each stripe but the last */
    int count;
    Stripe *stripes;
} StripeWork;

/* Offsets in a JPEG file. */
typedef struct Layout {
    gsize height; /* two bytes */
    gsize data;   /* up to the end marker, two bytes */
} Layout;

static int count_blocks(int pixels)
{
    return (pixels + BLOCK - 1) / BLOCK;
}

/* The blocks that restarts are counted in: 16 x 16 pixels with colours, else 8 x 8. */
static int count_restart_units(int width, int block_rows, gboolean grey)
{
    return grey ? (width + GREY_BLOCK - 1) / GREY_BLOCK * block_rows * (BLOCK / GREY_BLOCK)
                : count_blocks(width) * block_rows;
}

static void encode_stripe(gpointer data, int index)
{
    StripeWork *work = data;
    Stripe *stripe = &work->stripes[index];
    g_autoptr(HfScaler) scaler = hf_scaler_new_twin(work->scaler);
    int height = work->block_rows * BLOCK, first = index * height;
    JpegRows rows = {
        .scaler = scaler,
        .width = work->size.width,
        .first = first,
        .count = MIN(height, work->size.height - first),
        .quality = work->quality,
        .grey = work->grey,
        .restart_interval =
            work->count > 1 ? count_restart_units(work->size.width, work->block_rows, work->grey)
                            : 0,
    };
    stripe->jpeg = encode_jpeg_rows(&rows, &stripe->error);
}

/* Segments follow each other up to the data: a marker, and the length of the rest. */
static Layout find_jpeg_layout(const guint8 *jpeg)
{
    Layout layout = {0};
    gsize at = 2; /* behind the start marker, which has no length */
    gboolean is_scan = FALSE;
    while (!is_scan) {
        is_scan = jpeg[at + 1] == SCAN;
        if (jpeg[at + 1] == FRAME)
            layout.height = at + 5; /* marker, length, bits of a colour */
        at += 2 + (gsize)(jpeg[at + 2] << 8 | jpeg[at + 3]);
    }
    layout.data = at;
    return layout;
}

static guint8 *append_jpeg_bytes(guint8 *to, const guint8 *from, gsize count)
{
    memcpy(to, from, count);
    return to + count;
}

/* The headers of the stripes only differ in the height. */
static GBytes *join_jpeg_stripes(const StripeWork *work)
{
    const guint8 *first = g_bytes_get_data(work->stripes[0].jpeg, NULL);
    Layout layout = find_jpeg_layout(first);
    gsize total = layout.data;
    for (int i = 0; i < work->count; i++)
        total += g_bytes_get_size(work->stripes[i].jpeg) - layout.data;
    guint8 *jpeg = g_malloc(total), *to = append_jpeg_bytes(jpeg, first, layout.data);
    jpeg[layout.height] = (guint8)(work->size.height >> 8);
    jpeg[layout.height + 1] = (guint8)work->size.height;
    for (int i = 0; i < work->count; i++) {
        gsize length;
        const guint8 *stripe = g_bytes_get_data(work->stripes[i].jpeg, &length);
        to = append_jpeg_bytes(to, stripe + layout.data, length - layout.data);
        if (i < work->count - 1)
            to[-1] = (guint8)(RESTART + i % 8); /* in place of its end marker */
    }
    return g_bytes_new_take(jpeg, total);
}

static GBytes *finish_jpeg_stripes(StripeWork *work, GError **error)
{
    for (int i = 0; i < work->count; i++)
        if (work->stripes[i].error) {
            g_propagate_error(error, g_steal_pointer(&work->stripes[i].error));
            return NULL;
        }
    return work->count == 1 ? g_bytes_ref(work->stripes[0].jpeg) : join_jpeg_stripes(work);
}

GBytes *hf_jpeg_encode_stripes(const HfImage *image, HfSize size, int quality, gboolean grey,
                               int block_rows, GError **error)
{
    if (size.width > MAX_EDGE || size.height > MAX_EDGE) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                "%d x %d pixels are too large for JPEG; give a smaller max_dimension", size.width,
                size.height);
        return NULL;
    }
    int rows = count_blocks(size.height);
    block_rows =
        CLAMP(block_rows, 1, MIN(rows, MAX_INTERVAL / count_restart_units(size.width, 1, grey)));
    g_autoptr(HfScaler) scaler = hf_scaler_new(image, size);
    StripeWork work = {
        scaler, size, quality, grey, block_rows, (rows + block_rows - 1) / block_rows, NULL};
    work.stripes = g_new0(Stripe, work.count);
    hf_parallel_for(MOST_THREADS, work.count, encode_stripe, &work);
    GBytes *jpeg = finish_jpeg_stripes(&work, error);
    for (int i = 0; i < work.count; i++) {
        g_bytes_unref(work.stripes[i].jpeg);
        g_clear_error(&work.stripes[i].error);
    }
    g_free(work.stripes);
    return jpeg;
}

static GBytes *encode_jpeg(const HfImage *image, HfSize size, int quality, gboolean grey,
                           GError **error)
{
    int stripes = (gint64)size.width * size.height >= SHARED_PIXELS ? STRIPES : 1;
    int block_rows = (count_blocks(size.height) + stripes - 1) / stripes;
    return hf_jpeg_encode_stripes(image, size, quality, grey, block_rows, error);
}

GBytes *hf_jpeg_encode(const HfImage *image, HfSize size, int quality, GError **error)
{
    return encode_jpeg(image, size, quality, FALSE, error);
}

GBytes *hf_jpeg_encode_grey(const HfImage *image, HfSize size, int quality, GError **error)
{
    return encode_jpeg(image, size, quality, TRUE, error);
}
