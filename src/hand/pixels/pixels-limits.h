/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of reading pictures: text, shapes, templates. */
#pragma once

/* A picture that a caller sends: as text, and in pixels once it is decoded. */
#define HF_LIMIT_IMAGE_TEXT_BYTES (15u * 1024 * 1024)
#define HF_LIMIT_IMAGE_PIXELS     (34u * 1000 * 1000)
/* A template: its edges, the time for one search, and hits in an answer. */
#define HF_LIMIT_TEMPLATE_LEAST_EDGE 6
#define HF_LIMIT_TEMPLATE_EDGE       1024
#define HF_LIMIT_TEMPLATE_MS         4000
#define HF_LIMIT_TEMPLATE_HITS       50u
/* Text in a picture: connected components, and rows. */
#define HF_LIMIT_TEXT_PIECES 200000u
#define HF_LIMIT_TEXT_ROWS   3000u
/* OCR processes: at the same time, time for one line, idle time, CPU time, memory, the edge of a
 * picture, and lines that may fail before the rest is left unread. */
#define HF_LIMIT_READERS         2
#define HF_LIMIT_READER_LINE_MS  5000
#define HF_LIMIT_READER_IDLE_MS  30000
#define HF_LIMIT_READER_CPU_S    3600
#define HF_LIMIT_READER_BYTES    (1024u * 1024 * 1024)
#define HF_LIMIT_READER_EDGE     32768
#define HF_LIMIT_READER_FAILURES 5u
/* Caches: lines and pictures that were read, and glyph shapes and gaps (some 2 MB). */
#define HF_LIMIT_LINES_KNOWN  4096u
#define HF_LIMIT_PAGES_KNOWN  4u
#define HF_LIMIT_SHAPES_KNOWN 32768u
/* Flat areas of one picture, from the top on: some 100 MB. A full screen has a tenth of that, noise
 * has more. */
#define HF_LIMIT_FLAT_PARTS (1024u * 1024)
/* Frames and shapes found in one picture. Short words are among the shapes. */
#define HF_LIMIT_FRAMES 400u
#define HF_LIMIT_SHAPES 3000u
/* Pictures whose rows and shapes are cached, and icons in one picture. */
#define HF_LIMIT_PICTURE_SHAPES 8u
#define HF_LIMIT_ICONS          300u
