/* SPDX-License-Identifier: Apache-2.0 */
/* Makes of a picture what a caller would be sent of it: send-picture QUALITY GREY SCALE FROM TO,
 * with the encoder and the scaler of the hand. See legible.py. */
#include <math.h>
#include <stdlib.h>

#include "hand/pixels/image/decode.h"
#include "hand/pixels/image/jpeg.h"
#include "hand/pixels/image/png.h"

static GBytes *encode(const HfImage *image, HfSize size, const char *quality, gboolean grey,
                      GError **error)
{
    if (g_str_equal(quality, "png"))
        return grey ? hf_png_encode_grey(image, size, error) : hf_png_encode(image, size, error);
    return grey ? hf_jpeg_encode_grey(image, size, atoi(quality), error)
                : hf_jpeg_encode(image, size, atoi(quality), error);
}

int main(int argc, char **argv)
{
    g_autofree char *bytes = NULL;
    g_autoptr(GError) error = NULL;
    gsize size;
    if (argc != 6 || !g_file_get_contents(argv[4], &bytes, &size, &error))
        return EXIT_FAILURE;
    g_autoptr(HfImage) image = hf_image_decode((const guint8 *)bytes, size, &error);
    if (!image)
        return EXIT_FAILURE;
    double scale = g_ascii_strtod(argv[3], NULL);
    HfSize shown = {(int)lround(image->width * scale), (int)lround(image->height * scale)};
    g_autoptr(GBytes) sent = encode(image, shown, argv[1], atoi(argv[2]), &error);
    gboolean written = sent && g_file_set_contents(argv[5], g_bytes_get_data(sent, NULL),
                                                   (gssize)g_bytes_get_size(sent), &error);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}
