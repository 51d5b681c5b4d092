/* SPDX-License-Identifier: Apache-2.0 */
/* Marks that show a person the target of an action. */
#pragma once

#include "shared/image/image.h"

/* A cross hair around the point. The point stays visible. */
void hf_image_mark_point(HfImage *image, HfPoint point);
/* A frame along the inner edge of the rectangle. */
void hf_image_mark_area(HfImage *image, HfRect area);
