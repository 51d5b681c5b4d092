/* SPDX-License-Identifier: Apache-2.0 */
/* handfast reader: the process that runs the OCR engine for one hand. */
#pragma once

/* Serves frames on a socket. A request is {"language", "width", "height"} and the line's bytes. The
 * reply is {"words": [[text, left, right, confidence]...]} or {"error"}. */
int hf_ocr_reader_main(int argc, char **argv);
