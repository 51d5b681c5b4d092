/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding by libjpeg-turbo's own interface, because it takes rows: they are scaled and encoded
 * while they lie in the cache. The library reports errors by jumping out of the call; the jump ends
 * here and must never pass a function that owns something. */
#include "hand/pixels/image/jpeg-rows.h"

#include <setjmp.h>
#include <stdio.h>
/* jpeglib.h needs FILE and size_t. */
#include <jpeglib.h>

#include "shared/base/error.h"

/* Room to begin with: a screen at a usual quality takes less; if not, it grows. */
#define BYTES_FOR_HEADERS 4096
#define PIXELS_FOR_A_BYTE 4

typedef struct Encoder {
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr sink;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    char message[JMSG_LENGTH_MAX];
    const HfJpegRows *rows;
    guint32 *room; /* one row of blocks */
    guint8 *bytes;
    gsize size; /* of `bytes`; the sink knows how much is still free */
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

static void begin_bytes(j_compress_ptr jpeg)
{
    Encoder *encoder = jpeg->client_data;
    gsize pixels = (gsize)encoder->rows->width * (gsize)encoder->rows->count;
    encoder->size = BYTES_FOR_HEADERS + pixels / PIXELS_FOR_A_BYTE;
    encoder->bytes = g_malloc(encoder->size);
    encoder->sink.next_output_byte = encoder->bytes;
    encoder->sink.free_in_buffer = encoder->size;
}

/* Called when all of it is full, whatever the sink says. */
static boolean grow_bytes(j_compress_ptr jpeg)
{
    Encoder *encoder = jpeg->client_data;
    encoder->bytes = g_realloc(encoder->bytes, 2 * encoder->size);
    encoder->sink.next_output_byte = encoder->bytes + encoder->size;
    encoder->sink.free_in_buffer = encoder->size;
    encoder->size *= 2;
    return TRUE;
}

static void end_bytes(j_compress_ptr jpeg)
{
}

static void set_up_jpeg_encoder(Encoder *encoder)
{
    struct jpeg_compress_struct *jpeg = &encoder->jpeg;
    encoder->sink = (struct jpeg_destination_mgr){.init_destination = begin_bytes,
                                                  .empty_output_buffer = grow_bytes,
                                                  .term_destination = end_bytes};
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

static void write_rows(Encoder *encoder)
{
    struct jpeg_compress_struct *jpeg = &encoder->jpeg;
    JSAMPROW rows[HF_JPEG_BLOCK];
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JDIMENSION count = MIN(HF_JPEG_BLOCK, jpeg->image_height - jpeg->next_scanline);
        int first = encoder->rows->first + (int)jpeg->next_scanline;
        for (JDIMENSION i = 0; i < count; i++)
            rows[i] = (JSAMPROW)hf_scaler_get_row(encoder->rows->scaler, first + (int)i,
                                                  encoder->room + (gsize)i * jpeg->image_width);
        jpeg_write_scanlines(jpeg, rows, count);
    }
    jpeg_finish_compress(jpeg);
}

/* The only function that the library jumps back to; it owns nothing. */
static gboolean encode_all_rows(Encoder *encoder)
{
    if (setjmp(encoder->failed))
        return FALSE;
    set_up_jpeg_encoder(encoder);
    write_rows(encoder);
    return TRUE;
}

GBytes *hf_jpeg_rows_encode(const HfJpegRows *rows, GError **error)
{
    Encoder encoder = {.rows = rows};
    encoder.jpeg.err = jpeg_std_error(&encoder.errors);
    encoder.jpeg.client_data = &encoder;
    encoder.errors.error_exit = on_jpeg_encode_error;
    encoder.errors.output_message = ignore_jpeg_message;
    g_autofree guint32 *room = g_new(guint32, HF_JPEG_BLOCK * (gsize)rows->width);
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
