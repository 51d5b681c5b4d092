/* SPDX-License-Identifier: Apache-2.0 */
/* Strips are things of about one height, side by side or below each other, without large gaps. One
 * is only said to stand out when all others look alike: in a motley strip colours mean nothing. */
#include "hand/locate/grounds.h"

#include <math.h>
#include <stdlib.h>

#include "hand/atspi/tree/roles.h"

/* Larger is no entry, tab or button, and its colours are those of what is in it. */
#define MOST_HEIGHT 56
#define MOST_WIDTH  480
/* Around letters, to see what they stand on. */
#define MARGIN_PX 2
/* The line around a button, which is not its ink. */
#define EDGE_PX 3
/* Fewer in a strip do not tell which is the usual look. */
#define LEAST_STRIP 3
#define MOST_STRIP  64
/* Sums over red, green and blue: up to this colours are one, and from there on they differ. Letters
 * are never as dark as their colour when they are thin. */
#define SAME_GROUND  10
#define OTHER_GROUND 16
#define SAME_INK     130
#define OTHER_INK    200
/* Part of the contrast of the clearest one beside it. */
#define FAINT 0.62
/* Contrast of what is greyed out, and by how much others have more. */
#define GREYED  3.2
#define CLEARER 1.8
/* Pixels between neighbours, as so many heights. */
#define GAP_ACROSS 6
#define GAP_DOWN   1.6
#define ALIGNED_PX 5

typedef struct Look {
    gboolean known;
    guint32 ground, ink;
    HfRect box; /* with its frame */
} Look;

/* ---- colours ---- */

static int apart(guint32 a, guint32 b)
{
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8)
        sum += abs((int)((a >> shift) & 0xff) - (int)((b >> shift) & 0xff));
    return sum;
}

static int compare_colours(gconstpointer a, gconstpointer b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

static guint32 find_commonest(GArray *colours)
{
    guint32 best = 0;
    guint most = 0;
    g_array_sort(colours, compare_colours);
    for (guint begin = 0, end; begin < colours->len; begin = end) {
        guint32 colour = g_array_index(colours, guint32, begin);
        for (end = begin + 1; end < colours->len && g_array_index(colours, guint32, end) == colour;)
            end++;
        if (end - begin > most) {
            most = end - begin;
            best = colour;
        }
    }
    return best;
}

static guint32 find_furthest(const GArray *colours, guint32 from)
{
    guint32 found = from;
    for (guint i = 0; i < colours->len; i++)
        if (apart(g_array_index(colours, guint32, i), from) > apart(found, from))
            found = g_array_index(colours, guint32, i);
    return found;
}

/* Painted without a frame around it, or known by the text in its frame. */
static gboolean is_bare(const HfScene *scene, const HfThing *thing)
{
    return hf_thing_is_painted(thing) && thing->node != HF_NODE_NONE &&
           (thing->role == HF_ROLE_ICON || (thing->source & HF_SOURCE_PIXELS) == 0 ||
            !hf_rect_equal(thing->box, hf_tree_get(scene->tree, thing->node)->bounds));
}

/* A button that is known by its text reaches as far as its frame. */
static HfRect framed_box(const HfScene *scene, const HfThing *thing)
{
    gboolean framed = hf_thing_is_painted(thing) && (thing->source & HF_SOURCE_PIXELS) &&
                      thing->node != HF_NODE_NONE;
    return framed ? hf_tree_get(scene->tree, thing->node)->bounds : thing->box;
}

static Look look_at(const HfScene *scene, const HfThing *thing, const HfImage *picture, HfRect area)
{
    Look look = {0};
    int margin = is_bare(scene, thing) ? MARGIN_PX : -EDGE_PX;
    HfRect box = {thing->box.x - area.x - margin, thing->box.y - area.y - margin,
                  thing->box.width + 2 * margin, thing->box.height + 2 * margin};
    box = hf_rect_intersect(box, (HfRect){0, 0, picture->width, picture->height});
    if (thing->area || hf_rect_is_empty(box) || thing->node == HF_NODE_NONE ||
        box.height > MOST_HEIGHT || box.width > MOST_WIDTH)
        return look;
    g_autoptr(GArray) colours = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++) {
            guint32 colour = hf_image_row(picture, y)[x] & 0xffffff;
            g_array_append_val(colours, colour);
        }
    look.known = TRUE;
    look.box = framed_box(scene, thing);
    look.ground = find_commonest(colours);
    look.ink = find_furthest(colours, look.ground);
    return look;
}

/* ---- strips ---- */

typedef struct Strip {
    int members[MOST_STRIP];
    int count;
} Strip;

static gboolean is_like(const HfThing *a, const HfThing *b)
{
    gboolean painted = hf_thing_is_painted(a) && hf_thing_is_painted(b);
    return a->window == b->window && (painted || a->role == b->role);
}

static gboolean is_as_high(HfRect a, HfRect b)
{
    return MAX(a.height, b.height) * 5 <= MIN(a.height, b.height) * 8;
}

/* Side by side on one line. */
static gboolean is_next_across(HfRect a, HfRect b)
{
    int gap = MAX(a.x, b.x) - MIN(a.x + a.width, b.x + b.width);
    int off = abs(hf_rect_middle(a).y - hf_rect_middle(b).y);
    return gap >= -ALIGNED_PX && gap <= GAP_ACROSS * a.height && off <= ALIGNED_PX;
}

/* Below each other, from one left edge. */
static gboolean is_next_down(HfRect a, HfRect b)
{
    int gap = MAX(a.y, b.y) - MIN(a.y + a.height, b.y + b.height);
    return gap >= -ALIGNED_PX && gap <= GAP_DOWN * a.height && abs(a.x - b.x) <= ALIGNED_PX;
}

typedef gboolean (*IsNext)(HfRect a, HfRect b);

static gboolean has_member(const Strip *strip, int index)
{
    for (int i = 0; i < strip->count; i++)
        if (strip->members[i] == index)
            return TRUE;
    return FALSE;
}

/* All that can be reached from the first by going from neighbour to neighbour. */
static void gather(const HfScene *scene, const Look *looks, int first, IsNext is_next, Strip *strip)
{
    strip->count = 1;
    strip->members[0] = first;
    for (int at = 0; at < strip->count; at++) {
        const HfThing *from = hf_scene_get(scene, strip->members[at]);
        HfRect own = looks[strip->members[at]].box;
        for (guint i = 0; i < scene->things->len && strip->count < MOST_STRIP; i++) {
            const HfThing *thing = hf_scene_get(scene, (int)i);
            if (looks[i].known && is_like(from, thing) && is_as_high(own, looks[i].box) &&
                is_next(own, looks[i].box) && !has_member(strip, (int)i))
                strip->members[strip->count++] = (int)i;
        }
    }
}

typedef struct Span {
    int among, from_own; /* the most between any two others, and the least from them to its own */
} Span;

/* How far the others' colours are from each other, and how far its own is from them. */
static Span span_of(const Look *looks, const Strip *strip, gboolean ink)
{
    Span span = {0, G_MAXINT};
    guint32 own = ink ? looks[strip->members[0]].ink : looks[strip->members[0]].ground;
    for (int i = 1; i < strip->count; i++) {
        const Look *look = &looks[strip->members[i]], *usual = &looks[strip->members[1]];
        guint32 colour = ink ? look->ink : look->ground;
        span.among = MAX(span.among, apart(colour, ink ? usual->ink : usual->ground));
        span.from_own = MIN(span.from_own, apart(colour, own));
    }
    return span;
}

static gboolean stands_out(const Look *looks, const Strip *strip)
{
    if (strip->count < LEAST_STRIP)
        return FALSE;
    Span ground = span_of(looks, strip, FALSE), ink = span_of(looks, strip, TRUE);
    if (ground.among > SAME_GROUND)
        return FALSE;
    return ground.from_own >= OTHER_GROUND || (ink.among <= SAME_INK && ink.from_own >= OTHER_INK);
}

static double light_of(guint32 colour)
{
    static const double weights[] = {0.0722, 0.7152, 0.2126}; /* blue, green, red */
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += weights[i] * pow((colour >> (8 * i) & 0xff) / 255.0, 2.2);
    return sum;
}

/* As eyes judge it: 1 cannot be read, 21 is black on white. */
static double contrast_of(const Look *look)
{
    double ground = light_of(look->ground), ink = light_of(look->ink);
    return (MAX(ground, ink) + 0.05) / (MIN(ground, ink) + 0.05);
}

static gboolean is_grey(guint32 colour)
{
    int red = colour >> 16 & 255, green = colour >> 8 & 255, blue = colour & 255;
    return MAX(red, MAX(green, blue)) - MIN(red, MIN(green, blue)) <= 40;
}

/* Grey on grey, where others can be read well. White on a light colour is no such thing. */
static gboolean is_greyed(const Look *looks, const Strip *strip)
{
    const Look *own = &looks[strip->members[0]];
    double contrast = contrast_of(own), clearest = 0;
    for (int i = 1; i < strip->count; i++)
        clearest = MAX(clearest, contrast_of(&looks[strip->members[i]]));
    return is_grey(own->ground) && is_grey(own->ink) && contrast < GREYED &&
           clearest > CLEARER * contrast;
}

static gboolean is_faint(const Look *looks, const Strip *strip)
{
    const Look *own = &looks[strip->members[0]];
    int clearest = 0;
    for (int i = 1; i < strip->count; i++) {
        const Look *look = &looks[strip->members[i]];
        clearest = MAX(clearest, apart(look->ink, look->ground));
    }
    return apart(own->ink, own->ground) < FAINT * clearest || is_greyed(looks, strip);
}

/* The first of the strip is the one that may stand out. */
static void note_strip(HfScene *scene, const Look *looks, const Strip *strip, gboolean down)
{
    if (!stands_out(looks, strip))
        return;
    g_array_index(scene->things, HfThing, strip->members[0]).stands_out = TRUE;
    for (int i = 0; i < strip->count; i++) {
        HfThing *member = &g_array_index(scene->things, HfThing, strip->members[i]);
        member->listed |= down;
        member->tabbed |= !down;
    }
}

void hf_grounds_note(HfScene *scene, const HfImage *picture, HfRect area)
{
    g_autofree Look *looks = g_new0(Look, scene->things->len + 1);
    for (guint i = 0; i < scene->things->len; i++)
        looks[i] = look_at(scene, hf_scene_get(scene, (int)i), picture, area);
    for (guint i = 0; i < scene->things->len; i++) {
        HfThing *thing = &g_array_index(scene->things, HfThing, i);
        Strip across, down;
        if (!looks[i].known)
            continue;
        gather(scene, looks, (int)i, is_next_across, &across);
        gather(scene, looks, (int)i, is_next_down, &down);
        note_strip(scene, looks, &across, FALSE);
        note_strip(scene, looks, &down, TRUE);
        thing->faint = is_faint(looks, &across) || is_faint(looks, &down);
    }
}
