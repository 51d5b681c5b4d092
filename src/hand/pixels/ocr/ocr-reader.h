/* SPDX-License-Identifier: Apache-2.0 */
/* handfast reader: a process that reads lines of text for one hand, and nothing else. */
#pragma once

/* Frames on a socket: {"language", "width", "height"} and the line's bytes; the answer is {"words":
 * [[text, left, right, confidence]...]} or {"error"}. */
int hf_ocr_reader_main(int argc, char **argv);
