/* SPDX-License-Identifier: Apache-2.0 */
/* Hues as parts of a circle; what is nearly grey has none. */
#include "hand/locate/colours.h"

/* Of 255: less between the strongest and the weakest part is grey, a weaker strongest part dark. */
#define LEAST_CHROMA 60
#define LEAST_LIGHT  70

static const struct {
    const char *name;
    int until; /* degrees */
} hues[] = {{"red", 16},   {"orange", 42},  {"yellow", 68}, {"green", 170},
            {"blue", 258}, {"purple", 292}, {"pink", 344},  {"red", 360}};

const char *hf_colour_name(HfColour colour)
{
    return colour == HF_COLOUR_NONE ? "none" : hues[colour - 1].name;
}

static int hue_of(int red, int green, int blue, int chroma)
{
    int most = MAX(red, MAX(green, blue));
    int hue = most == red     ? 60 * (green - blue) / chroma
              : most == green ? 120 + 60 * (blue - red) / chroma
                              : 240 + 60 * (red - green) / chroma;
    return (hue + 360) % 360;
}

HfColour hf_colour_of(guint32 pixel)
{
    int red = (int)(pixel >> 16) & 0xff, green = (int)(pixel >> 8) & 0xff, blue = (int)pixel & 0xff;
    int most = MAX(red, MAX(green, blue)), chroma = most - MIN(red, MIN(green, blue));
    if (chroma < LEAST_CHROMA || most < LEAST_LIGHT)
        return HF_COLOUR_NONE;
    int hue = hue_of(red, green, blue, chroma);
    for (gsize i = 0; i < G_N_ELEMENTS(hues); i++)
        if (hue < hues[i].until)
            return i + 1 < G_N_ELEMENTS(hues) ? (HfColour)(i + 1) : HF_COLOUR_RED;
    return HF_COLOUR_RED;
}

double hf_colour_share(const HfImage *image, HfRect box, HfColour colour)
{
    HfRect part = hf_rect_intersect(box, (HfRect){0, 0, image->width, image->height});
    gint64 count = 0;
    for (int y = part.y; y < part.y + part.height; y++)
        for (int x = part.x; x < part.x + part.width; x++)
            count += hf_colour_of(hf_image_row(image, y)[x]) == colour;
    return hf_rect_is_empty(part) ? 0 : (double)count / ((double)part.width * part.height);
}
