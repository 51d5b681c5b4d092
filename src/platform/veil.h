/* What the owner lists to be covered in every picture (privacy.blur): windows, parts of windows,
 * parts of the screen. Here it is only decided what that is; veil-cover.h covers it. */
#pragma once

#include "base/geometry.h"
#include "base/json.h"
#include "base/types.h"

typedef struct HfVeil HfVeil;

/* From [{"window": {"title", "app"}, "rect": {x, y, width, height}, "corner"}], as the agreement
 * has it (config/fields-privacy.c); NULL when there is nothing in it. */
HfVeil *hf_veil_new(const json_t *list);
void hf_veil_free(HfVeil *veil);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfVeil, hf_veil_free)

/* Other lists have other numbers; 0 is that of NULL. */
guint64 hf_veil_get_hash(const HfVeil *veil);
/* Whether it must be known which windows there are. */
gboolean hf_veil_has_windows(const HfVeil *veil);
/* Adds the parts of the screen that are covered whatever is there. */
void hf_veil_add_places(const HfVeil *veil, GArray *rects);
/* Adds what of a window is covered, as if nothing lay on top of it, in pixels of the screen. TRUE:
 * that is all of it. */
gboolean hf_veil_add_window(const HfVeil *veil, const HfWindow *window, GArray *rects);
