/* SPDX-License-Identifier: Apache-2.0 */
/* A JPEG in stripes. Each is scaled and encoded as a picture of its own, on whichever core is free,
 * and they are joined at restart markers: there a decoder begins anew, just as an encoder does at
 * the beginning of a picture. So every stripe but the last has the same number of whole blocks, and
 * the pixels are those of a picture made in one piece. */
#include "hand/pixels/image/jpeg.h"

#include <string.h>

#include "hand/pixels/image/jpeg-rows.h"
#include "shared/base/error.h"
#include "shared/base/parallel.h"

/* What the format, or the library, allows. */
#define MAX_EDGE     65500
#define MAX_INTERVAL 65535
/* Waking a thread does not pay for smaller pictures. */
#define SHARED_PIXELS (256 * 1024)
/* Two for each thread at least, so that one whose core is taken away leaves work to the others. */
#define STRIPES      8
#define MOST_THREADS 4

/* The second byte of a marker; the first is 0xff. */
enum { FRAME = 0xc0, RESTART = 0xd0, END = 0xd9, SCAN = 0xda };

typedef struct Stripe {
    GBytes *jpeg;
    GError *error;
} Stripe;

typedef struct Work {
    const HfScaler *scaler;
    HfSize size;
    int quality;
    gboolean grey;
    int block_rows; /* of each stripe but the last */
    int count;
    Stripe *stripes;
} Work;

/* Where the parts of a JPEG lie. */
typedef struct Layout {
    gsize height; /* two bytes */
    gsize data;   /* up to the end marker, which is two bytes */
} Layout;

static int count_blocks(int pixels)
{
    return (pixels + HF_JPEG_BLOCK - 1) / HF_JPEG_BLOCK;
}

/* What restarts are counted in: with colours 16 x 16 pixels, else 8 x 8. */
static int count_restart_units(int width, int block_rows, gboolean grey)
{
    return grey ? (width + HF_JPEG_GREY_BLOCK - 1) / HF_JPEG_GREY_BLOCK * block_rows *
                      (HF_JPEG_BLOCK / HF_JPEG_GREY_BLOCK)
                : count_blocks(width) * block_rows;
}

static void encode_stripe(gpointer data, int index)
{
    Work *work = data;
    Stripe *stripe = &work->stripes[index];
    g_autoptr(HfScaler) scaler = hf_scaler_new_twin(work->scaler);
    int height = work->block_rows * HF_JPEG_BLOCK, first = index * height;
    HfJpegRows rows = {
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
    stripe->jpeg = hf_jpeg_rows_encode(&rows, &stripe->error);
}

/* Segments follow each other up to the data: a marker, and the length of the rest. */
static Layout find_layout(const guint8 *jpeg)
{
    Layout layout = {0};
    gsize at = 2; /* behind the marker of the beginning, which has no more to it */
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

/* The headers of the stripes are the same but for the height. */
static GBytes *join_jpeg_stripes(const Work *work)
{
    const guint8 *first = g_bytes_get_data(work->stripes[0].jpeg, NULL);
    Layout layout = find_layout(first);
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
            to[-1] = (guint8)(RESTART + i % 8); /* in place of its end */
    }
    return g_bytes_new_take(jpeg, total);
}

static GBytes *finish_jpeg(Work *work, GError **error)
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
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%d x %d is too large for JPEG; give max_dimension",
                size.width, size.height);
        return NULL;
    }
    int rows = count_blocks(size.height);
    block_rows =
        CLAMP(block_rows, 1, MIN(rows, MAX_INTERVAL / count_restart_units(size.width, 1, grey)));
    g_autoptr(HfScaler) scaler = hf_scaler_new(image, size);
    Work work = {scaler, size, quality, grey, block_rows, (rows + block_rows - 1) / block_rows,
                 NULL};
    work.stripes = g_new0(Stripe, work.count);
    hf_parallel_for(MOST_THREADS, work.count, encode_stripe, &work);
    GBytes *jpeg = finish_jpeg(&work, error);
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
