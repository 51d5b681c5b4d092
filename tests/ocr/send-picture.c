/* Makes of a picture what a caller would be sent of it: send-picture QUALITY GREY SCALE FROM TO,
 * with the encoder and the scaler of the hand. See legible.py. */
#include <math.h>
#include <stdlib.h>

#include "vision/decode.h"
#include "vision/jpeg.h"

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
    g_autoptr(GBytes) jpeg = atoi(argv[2])
                                 ? hf_jpeg_encode_grey(image, shown, atoi(argv[1]), &error)
                                 : hf_jpeg_encode(image, shown, atoi(argv[1]), &error);
    gboolean written = jpeg && g_file_set_contents(argv[5], g_bytes_get_data(jpeg, NULL),
                                                   (gssize)g_bytes_get_size(jpeg), &error);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}
