/* SPDX-License-Identifier: Apache-2.0 */
/* JPEG by libjpeg-turbo. It would rather show something than complain: what it warns of is an error
 * here, since text that is not there must not be read. It reports errors by jumping out of the
 * call; the jump ends here and must never pass a function that owns something. */
#include <setjmp.h>
#include <stdio.h>
/* jpeglib.h needs FILE and size_t. */
#include <jerror.h>
#include <jpeglib.h>

#include "hand/pixels/image/decode.h"
#include "shared/base/error.h"

/* Passes over the picture that a progressive one may ask for: each costs as much as all of it. */
#define MOST_SCANS 64

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

static void on_progress(j_common_ptr jpeg)
{
    Decoder *decoder = jpeg->client_data;
    if (decoder->jpeg.input_scan_number <= MOST_SCANS)
        return;
    g_strlcpy(decoder->message, "too many scans", sizeof decoder->message);
    longjmp(decoder->failed, 1);
}

static void set_up_jpeg_decoder(Decoder *decoder)
{
    decoder->jpeg.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = on_jpeg_decode_error;
    decoder->errors.emit_message = on_jpeg_decode_warning;
    decoder->jpeg.client_data = decoder;
}

static gboolean read_size(Decoder *decoder, const guint8 *bytes, gsize size)
{
    if (setjmp(decoder->failed))
        return FALSE;
    jpeg_create_decompress(&decoder->jpeg);
    decoder->progress.progress_monitor = on_progress;
    decoder->jpeg.progress = &decoder->progress;
    jpeg_mem_src(&decoder->jpeg, bytes, size);
    jpeg_read_header(&decoder->jpeg, TRUE);
    return TRUE;
}

static gboolean read_pixels(Decoder *decoder, HfImage *image)
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

HfImage *hf_jpeg_decode(const guint8 *bytes, gsize size, GError **error)
{
    g_autofree Decoder *decoder = g_new0(Decoder, 1);
    g_autoptr(HfImage) image = NULL;
    gboolean read = FALSE;
    set_up_jpeg_decoder(decoder);
    if (!read_size(decoder, bytes, size))
        fail_jpeg(decoder, error);
    else if (hf_image_check_size(decoder->jpeg.image_width, decoder->jpeg.image_height, error)) {
        image = hf_image_new((int)decoder->jpeg.image_width, (int)decoder->jpeg.image_height);
        read = read_pixels(decoder, image);
        if (!read)
            fail_jpeg(decoder, error);
    }
    jpeg_destroy_decompress(&decoder->jpeg);
    return read ? g_steal_pointer(&image) : NULL;
}
