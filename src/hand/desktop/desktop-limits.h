/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of what a desktop keeps and waits for. */
#pragma once

/* How long a window counts as new, and how long a capture waits for its first paint. */
#define HF_LIMIT_NEW_WINDOW_MS  1000
#define HF_LIMIT_FIRST_PAINT_MS 400
/* Pictures that coordinates can refer to. */
#define HF_LIMIT_IMAGES_KEPT 64u
/* Hashes of pictures for comparison: all together, and after a while without calls. That of a
 * picture of 1920x1080 has 270 KB. */
#define HF_LIMIT_LOOKS_BYTES      (4u * 1024 * 1024)
#define HF_LIMIT_LOOKS_REST_BYTES (1024u * 1024)
/* One format of the clipboard. */
#define HF_LIMIT_CLIPBOARD_BYTES (64u * 1024 * 1024)
