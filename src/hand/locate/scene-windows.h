/* SPDX-License-Identifier: Apache-2.0 */
/* What of a scene belongs to windows: their frames, and pages that a browser shows. For scene.c. */
#pragma once

#include "hand/locate/scene.h"

/* Title bars, and their buttons for closing. */
void hf_scene_add_frames(HfScene *scene, const HfSceneScope *scope);
/* Which things are of the browser around a page, and whether there is a tool bar. */
void hf_scene_note_pages(HfScene *scene);
