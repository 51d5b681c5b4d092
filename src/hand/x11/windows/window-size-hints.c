/* SPDX-License-Identifier: Apache-2.0 */
/* Size hints as window managers apply them (ICCCM 4.1.2.3), without the aspect ratio, which hardly
 * any program sets. Hostile values give the wanted size back. */
#include "hand/x11/windows/window-size-hints.h"

#include "shared/base/limits.h"

enum { MIN_SIZE = 1 << 4, MAX_SIZE = 1 << 5, STEP = 1 << 6, BASE_SIZE = 1 << 8 };
enum { AT_MIN = 5, AT_MAX = 7, AT_STEP = 9, AT_BASE = 15 };

/* The value of one hint; `fallback` when it is not set, absent or absurd. */
static int get_size_hint(const guint32 *hints, gsize count, guint32 flag, gsize at, int fallback)
{
    gboolean given = count > at && hints[0] & flag && hints[at] <= HF_LIMIT_SCREEN_EDGE;
    return given ? (int)hints[at] : fallback;
}

static int limit_edge(const guint32 *hints, gsize count, gsize axis, int wanted)
{
    int minimum = get_size_hint(hints, count, MIN_SIZE, AT_MIN + axis, 0);
    int base = get_size_hint(hints, count, BASE_SIZE, AT_BASE + axis, minimum);
    minimum = get_size_hint(hints, count, MIN_SIZE, AT_MIN + axis, base);
    int maximum = get_size_hint(hints, count, MAX_SIZE, AT_MAX + axis, HF_LIMIT_SCREEN_EDGE);
    int step = MAX(1, get_size_hint(hints, count, STEP, AT_STEP + axis, 1));
    int edge = MAX(minimum, MIN(maximum, wanted));
    if (edge > base)
        edge = base + (edge - base) / step * step;
    return MAX(1, edge);
}

HfSize hf_x11_size_by_hints(const guint32 *hints, gsize count, HfSize wanted)
{
    if (count == 0)
        return wanted;
    return (HfSize){limit_edge(hints, count, 0, wanted.width),
                    limit_edge(hints, count, 1, wanted.height)};
}

HfSize hf_x11_allowed_size(HfX11Connection *connection, xcb_window_t window, HfSize wanted)
{
    gsize count = 0;
    g_autofree guint32 *hints = hf_x11_dup_property32(connection, window, "WM_NORMAL_HINTS",
                                                      XCB_ATOM_WM_SIZE_HINTS, &count);
    return hf_x11_size_by_hints(hints, count, wanted);
}
