/* SPDX-License-Identifier: Apache-2.0 */
/* Small steps of composing. */
#include "hand/locate/composing.h"

gboolean hf_composing_is_unread(const HfComposing *work, HfRect box)
{
    for (guint i = 0; i < work->unread->len; i++)
        if (hf_composing_lies_in(g_array_index(work->unread, HfRect, i), box) ||
            hf_composing_lies_in(box, g_array_index(work->unread, HfRect, i)))
            return TRUE;
    return FALSE;
}

void hf_composing_add_panel(HfComposing *work, HfRect box)
{
    g_array_append_val(work->things->panels, box);
}

static const char *keep_looks(HfComposing *work, const HfShape *shape)
{
    char *looks = g_strdup_printf("%" G_GINT64_MODIFIER "x", shape->looks);
    g_ptr_array_add(work->things->kept, looks);
    return looks;
}

HfSeen hf_composing_new_seen(HfComposing *work, const HfShape *shape, int role)
{
    return (HfSeen){.box = shape->box,
                    .role = role,
                    .source = HF_SOURCE_PIXELS,
                    .confidence = shape->confidence,
                    .looks = keep_looks(work, shape)};
}

void hf_composing_take_text(HfComposing *work, guint index, HfSeen *seen)
{
    const HfSeen *text = hf_composing_text(work, index);
    seen->text = text->text;
    seen->confidence = text->confidence;
    seen->source |= HF_SOURCE_OCR;
    work->used[index] = TRUE;
}
