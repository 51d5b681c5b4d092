/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the merged tree of a screen and of locating an element by its description. */
#pragma once

/* Descriptions: bytes, words of one name, and elements of a screen that are compared. */
#define HF_LIMIT_DESCRIPTION_BYTES 1000u
#define HF_LIMIT_PHRASE_WORDS      24u
#define HF_LIMIT_SCENE_ELEMENTS    6000u
/* How long OCR may take: for a tree, for a target (which is not found otherwise), and for a
 * description. */
#define HF_FUSED_READ_MS  3000
#define HF_TARGET_READ_MS 10000
#define HF_SEARCH_READ_MS 10000
