/* JPEG with colours at half the resolution (4:2:0), which screens do not suffer from. */
#pragma once

#include "base/image.h"

/* The picture at another size (or its own), encoded while it is scaled. `quality` 0 to 100. */
GBytes *hf_jpeg_encode(const HfImage *image, HfSize size, int quality, GError **error);
