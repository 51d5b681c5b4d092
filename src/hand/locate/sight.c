/* SPDX-License-Identifier: Apache-2.0 */
/* The last few pictures are kept by their hashes: windows that are looked at in turn. */
#include "hand/locate/sight.h"

#include "hand/locate/locate-limits.h"
#include "hand/pixels/compare/tile-changes.h"
#include "hand/pixels/shapes/shapes.h"
#include "hand/pixels/text/text-row-cut.h"
#include "hand/pixels/text/text-rows.h"

static GMutex lock; /* guards what follows */
static HfSight *recents[HF_LIMIT_SIGHTS];
static guint next_recent;

static HfSight *sight_ref(HfSight *sight)
{
    g_atomic_ref_count_inc(&sight->references);
    return sight;
}

void hf_sight_unref(HfSight *sight)
{
    if (!sight || !g_atomic_ref_count_dec(&sight->references))
        return;
    g_array_unref(sight->rows);
    g_array_unref(sight->shapes);
    g_free(sight);
}

static HfSight *recall(guint64 hash, HfSize size)
{
    HfSight *found = NULL;
    g_mutex_lock(&lock);
    for (guint i = 0; i < HF_LIMIT_SIGHTS && !found; i++)
        if (recents[i] && recents[i]->hash == hash && recents[i]->size.width == size.width &&
            recents[i]->size.height == size.height)
            found = sight_ref(recents[i]);
    g_mutex_unlock(&lock);
    return found;
}

static void remember(HfSight *sight)
{
    g_mutex_lock(&lock);
    HfSight **place = &recents[next_recent++ % HF_LIMIT_SIGHTS];
    HfSight *old = *place;
    *place = sight_ref(sight);
    g_mutex_unlock(&lock);
    hf_sight_unref(old);
}

HfSight *hf_sight_new(const HfImage *image)
{
    HfSize size = {image->width, image->height};
    guint64 hash = hf_image_hash(image);
    HfSight *sight = recall(hash, size);
    if (sight)
        return sight;
    g_auto(HfTextRows) rows = {0};
    hf_text_rows_find(&rows, image);
    sight = g_new0(HfSight, 1);
    g_atomic_ref_count_init(&sight->references);
    sight->size = size;
    sight->hash = hash;
    sight->cut = rows.truncated;
    sight->rows = g_steal_pointer(&rows.boxes);
    sight->shapes = hf_shapes_find(image);
    hf_text_rows_cut_shapes(sight->rows, sight->shapes, image);
    remember(sight);
    return sight;
}

void hf_sights_forget(void)
{
    g_mutex_lock(&lock);
    for (guint i = 0; i < HF_LIMIT_SIGHTS; i++)
        g_clear_pointer(&recents[i], hf_sight_unref);
    g_mutex_unlock(&lock);
}
