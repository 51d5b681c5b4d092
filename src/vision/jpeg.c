/* Encoding by libjpeg-turbo's own interface, because it takes rows: a stripe is scaled and
 * encoded while it lies in the cache. The library reports errors by jumping out of the call; the
 * jump ends here and must never pass a function that owns something. */
#include "vision/jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
/* jpeglib.h needs FILE and size_t. */
#include <jpeglib.h>

#include "base/error.h"
#include "vision/scale.h"

/* The library works on 16 rows at a time with colours at half the resolution. */
#define STRIPE 16

typedef struct Encoder {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    char message[JMSG_LENGTH_MAX];
    HfScaler *scaler;
    guint32 *room; /* one stripe */
    unsigned char *bytes;
    unsigned long length;
} Encoder;

static void on_error(j_common_ptr jpeg)
{
    Encoder *encoder = jpeg->client_data;
    jpeg->err->format_message(jpeg, encoder->message);
    longjmp(encoder->failed, 1);
}

static void on_message(j_common_ptr jpeg)
{
}

static void set_up(Encoder *encoder, HfSize size, int quality)
{
    struct jpeg_compress_struct *jpeg = &encoder->jpeg;
    jpeg_mem_dest(jpeg, &encoder->bytes, &encoder->length);
    jpeg->image_width = (JDIMENSION)size.width;
    jpeg->image_height = (JDIMENSION)size.height;
    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(jpeg); /* 4:2:0 among them */
    jpeg_set_quality(jpeg, quality, TRUE);
}

static void write_rows(Encoder *encoder)
{
    struct jpeg_compress_struct *jpeg = &encoder->jpeg;
    JSAMPROW rows[STRIPE];
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JDIMENSION count = MIN(STRIPE, jpeg->image_height - jpeg->next_scanline);
        for (JDIMENSION i = 0; i < count; i++)
            rows[i] = (JSAMPROW)hf_scaler_get_row(encoder->scaler, (int)(jpeg->next_scanline + i),
                                                  encoder->room + (gsize)i * jpeg->image_width);
        jpeg_write_scanlines(jpeg, rows, count);
    }
    jpeg_finish_compress(jpeg);
}

/* The only function that the library jumps back to; it owns nothing. */
static gboolean run(Encoder *encoder, HfSize size, int quality)
{
    if (setjmp(encoder->failed))
        return FALSE;
    set_up(encoder, size, quality);
    write_rows(encoder);
    return TRUE;
}

GBytes *hf_jpeg_encode(const HfImage *image, HfSize size, int quality, GError **error)
{
    if (size.width > JPEG_MAX_DIMENSION || size.height > JPEG_MAX_DIMENSION) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%d x %d is too large for JPEG; give max_dimension",
                size.width, size.height);
        return NULL;
    }
    Encoder encoder = {0};
    encoder.jpeg.err = jpeg_std_error(&encoder.errors);
    encoder.jpeg.client_data = &encoder;
    encoder.errors.error_exit = on_error;
    encoder.errors.output_message = on_message;
    g_autoptr(HfScaler) scaler = hf_scaler_new(image, size);
    g_autofree guint32 *room = g_new(guint32, STRIPE * (gsize)size.width);
    encoder.scaler = scaler;
    encoder.room = room;
    jpeg_create_compress(&encoder.jpeg);
    gboolean done = run(&encoder, size, quality);
    jpeg_destroy_compress(&encoder.jpeg);
    if (done)
        return g_bytes_new_with_free_func(encoder.bytes, encoder.length, free, encoder.bytes);
    free(encoder.bytes);
    hf_fail(error, HF_ERROR_INTERNAL, "JPEG encoding failed: %s", encoder.message);
    return NULL;
}
