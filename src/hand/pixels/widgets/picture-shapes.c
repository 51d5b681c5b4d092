/* SPDX-License-Identifier: Apache-2.0 */
/* The cache holds the last few pictures by their hash, for windows that are looked at in turn. */
#include "hand/pixels/widgets/picture-shapes.h"

#include "hand/pixels/compare/tile-changes.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/shapes.h"
#include "hand/pixels/text/text-row-cut.h"
#include "hand/pixels/text/text-rows.h"
#include "shared/base/limits.h"

static GMutex lock; /* guards what follows */
static HfPictureShapes *recents[HF_LIMIT_PICTURE_SHAPES];
static guint next_recent;

static HfPictureShapes *picture_shapes_ref(HfPictureShapes *detection)
{
    g_atomic_ref_count_inc(&detection->references);
    return detection;
}

void hf_picture_shapes_unref(HfPictureShapes *detection)
{
    if (!detection || !g_atomic_ref_count_dec(&detection->references))
        return;
    g_array_unref(detection->rows);
    g_array_unref(detection->shapes);
    g_free(detection);
}

static HfPictureShapes *find_cached_shapes(guint64 hash, HfSize size)
{
    HfPictureShapes *found = NULL;
    g_mutex_lock(&lock);
    for (guint i = 0; i < HF_LIMIT_PICTURE_SHAPES && !found; i++)
        if (recents[i] && recents[i]->hash == hash && recents[i]->size.width == size.width &&
            recents[i]->size.height == size.height)
            found = picture_shapes_ref(recents[i]);
    g_mutex_unlock(&lock);
    return found;
}

static void cache_picture_shapes(HfPictureShapes *detection)
{
    g_mutex_lock(&lock);
    HfPictureShapes **place = &recents[next_recent++ % HF_LIMIT_PICTURE_SHAPES];
    HfPictureShapes *old = *place;
    *place = picture_shapes_ref(detection);
    g_mutex_unlock(&lock);
    hf_picture_shapes_unref(old);
}

HfPictureShapes *hf_picture_shapes_new(const HfImage *image)
{
    HfSize size = {image->width, image->height};
    guint64 hash = hf_image_hash(image);
    HfPictureShapes *detection = find_cached_shapes(hash, size);
    if (detection)
        return detection;
    g_auto(HfTextRows) rows = {0};
    hf_text_rows_find(&rows, image);
    detection = g_new0(HfPictureShapes, 1);
    g_atomic_ref_count_init(&detection->references);
    detection->size = size;
    detection->hash = hash;
    detection->cut = rows.truncated;
    detection->rows = g_steal_pointer(&rows.boxes);
    detection->shapes = hf_shapes_find(image);
    hf_text_rows_cut_shapes(detection->rows, detection->shapes, image);
    cache_picture_shapes(detection);
    return detection;
}

void hf_picture_shapes_clear_cache(void)
{
    g_mutex_lock(&lock);
    for (guint i = 0; i < HF_LIMIT_PICTURE_SHAPES; i++)
        g_clear_pointer(&recents[i], hf_picture_shapes_unref);
    g_mutex_unlock(&lock);
}
