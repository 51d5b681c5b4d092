/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the merged tree of a screen and of locating an element by its description. */
#pragma once

/* Descriptions: bytes, words of one name, interpretations, nested relations, and elements of a
 * screen that are considered. */
#define HF_LIMIT_DESCRIPTION_BYTES    1000u
#define HF_LIMIT_PHRASE_WORDS         24u
#define HF_LIMIT_DESCRIPTION_READINGS 48u
#define HF_LIMIT_DESCRIPTION_DEPTH    4
#define HF_LIMIT_SCENE_THINGS         6000u
/* Pictures whose rows and shapes are cached, and icons in one picture. */
#define HF_LIMIT_SIGHTS 8u
#define HF_LIMIT_ICONS  300u
/* How long OCR may take: for a tree, for a target (which is not found otherwise), and for a
 * description. */
#define HF_FUSED_READ_MS  3000
#define HF_TARGET_READ_MS 10000
#define HF_SEEK_READ_MS   10000
