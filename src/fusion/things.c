/* Composing. Texts that a shape takes for its name are no elements of their own any more; those
 * that only say what a field is for stay what they are, since people point at them. Shapes that
 * hold several things hold nothing together that anybody could press: they are left out. */
#include "fusion/things.h"

#include <stdlib.h>

#include "access/nearness.h"
#include "access/roles.h"
#include "access/states.h"

/* From a box or circle to its text. */
#define BESIDE_PX 18
/* A text is in the middle of its frame if the space on its sides differs by no more. */
#define MIDDLE_PX      8
#define MIDDLE_PERCENT 12
/* A field has room to write. */
#define FIELD_LEAST 40
/* Texts in a frame further apart than so many of their heights are different things. */
#define APART 2
/* What is read from an icon is so doubtful. */
#define DOUBT 0.6
/* A letter that is a sign is larger than print; a drawing is print where texts cover so much of it,
 * in hundredth. */
#define SIGN_LEAST   10
#define WORD_PERCENT 35

typedef struct Work {
    HfThings *things;
    const GArray *texts, *shapes, *unread;
    gboolean *used;    /* for each text: it is part of a shape */
    gboolean *nothing; /* for each text: it is no text at all */
    gboolean *gone;    /* for each shape: it is part of another, or nothing */
} Work;

static const HfSeen *text_at(const Work *work, guint index)
{
    return &g_array_index(work->texts, HfSeen, index);
}

static const HfShape *shape_at(const Work *work, guint index)
{
    return &g_array_index(work->shapes, HfShape, index);
}

static gboolean lies_in(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return (gint64)common.width * common.height * 2 > (gint64)inner.width * inner.height;
}

static int right_of(HfRect rect)
{
    return rect.x + rect.width;
}

static const char *keep_looks(Work *work, const HfShape *shape)
{
    char *looks = g_strdup_printf("%" G_GINT64_MODIFIER "x", shape->looks);
    g_ptr_array_add(work->things->kept, looks);
    return looks;
}

static HfSeen new_seen(Work *work, const HfShape *shape, int role)
{
    return (HfSeen){.box = shape->box,
                    .role = role,
                    .source = HF_SOURCE_PIXELS,
                    .confidence = shape->confidence,
                    .looks = keep_looks(work, shape)};
}

static gboolean is_unread(const Work *work, HfRect box)
{
    for (guint i = 0; i < work->unread->len; i++)
        if (lies_in(g_array_index(work->unread, HfRect, i), box) ||
            lies_in(box, g_array_index(work->unread, HfRect, i)))
            return TRUE;
    return FALSE;
}

/* ---- icons ---- */

static guint count_letters(const char *text)
{
    guint letters = 0;
    for (const char *at = text; *at; at = g_utf8_next_char(at))
        letters += g_unichar_isalnum(g_utf8_get_char(at)) != 0;
    return letters;
}

static guint count_drawings(const Work *work, HfRect box)
{
    guint count = 0;
    for (guint i = 0; i < work->shapes->len; i++)
        count += shape_at(work, i)->kind == HF_SHAPE_ICON && lies_in(shape_at(work, i)->box, box);
    return count;
}

/* Signs without letters, or a doubtful letter or two for each drawing that is there. */
static gboolean says_nothing(const Work *work, const HfSeen *text)
{
    guint letters = count_letters(text->text), drawings = count_drawings(work, text->box);
    return drawings > 0 && (letters == 0 || (letters <= 2 * drawings && text->confidence < DOUBT));
}

/* What was read from drawings, and is none of the words that they could be. */
static void forget_signs(Work *work)
{
    for (guint i = 0; i < work->texts->len; i++)
        work->nothing[i] = work->used[i] = says_nothing(work, text_at(work, i));
}

/* The text that a drawing is, or is part of, or one of several that it consists of: small print
 * in columns runs together. -1: it is a sign. */
static int find_word(const Work *work, HfRect box)
{
    gint64 covered = 0;
    int found = -1;
    for (guint i = 0; i < work->texts->len; i++) {
        HfRect common = hf_rect_intersect(box, text_at(work, i)->box);
        if (work->nothing[i] || hf_rect_is_empty(common))
            continue;
        covered += (gint64)common.width * common.height;
        found = (int)i;
    }
    return covered * 100 >= (gint64)box.width * box.height * WORD_PERCENT ? found : -1;
}

/* A single large letter by itself: the cross that closes, a lens, a plus. It is called what it
 * looks like. */
static gboolean is_sign(const HfSeen *text, HfRect box)
{
    gunichar letter = g_utf8_get_char(text->text);
    return g_utf8_strlen(text->text, -1) == 1 && letter < 0x250 && !g_unichar_isdigit(letter) &&
           lies_in(text->box, box) && MIN(box.width, box.height) >= SIGN_LEAST;
}

static void take_text(Work *work, guint index, HfSeen *seen)
{
    const HfSeen *text = text_at(work, index);
    seen->text = text->text;
    seen->confidence = text->confidence;
    seen->source |= HF_SOURCE_OCR;
    work->used[index] = TRUE;
}

static void add_icon(Work *work, guint index)
{
    const HfShape *shape = shape_at(work, index);
    int word = find_word(work, shape->box);
    if (is_unread(work, shape->box) ||
        (word >= 0 && (work->used[word] || !is_sign(text_at(work, (guint)word), shape->box))))
        return;
    HfSeen seen = new_seen(work, shape, HF_ROLE_ICON);
    if (word >= 0)
        take_text(work, (guint)word, &seen);
    g_array_append_val(work->things->seen, seen);
}

/* ---- texts in frames ---- */

typedef struct Inside {
    guint first, count; /* index of one of them */
    HfRect box;         /* of all */
    gboolean apart;     /* they are several things */
} Inside;

static gboolean are_apart(HfRect a, HfRect b)
{
    int gap = MAX(a.x, b.x) - MIN(right_of(a), right_of(b));
    return gap > APART * MIN(a.height, b.height);
}

static Inside look_inside(const Work *work, HfRect box)
{
    Inside inside = {0, 0, {0, 0, 0, 0}, FALSE};
    for (guint i = 0; i < work->texts->len; i++) {
        const HfSeen *text = text_at(work, i);
        if (work->used[i] || !lies_in(text->box, box))
            continue;
        if (inside.count++ == 0) {
            inside.first = i;
            inside.box = text->box;
            continue;
        }
        inside.apart = inside.apart || are_apart(inside.box, text->box);
        inside.box = hf_rect_unite(inside.box, text->box);
    }
    return inside;
}

/* The texts inside become its name. Where its words stand is known of a single line only. */
static void take_texts(Work *work, HfRect box, const Inside *inside, HfSeen *seen)
{
    GString *name = g_string_new("");
    seen->confidence = 1;
    for (guint i = 0; i < work->texts->len; i++) {
        const HfSeen *text = text_at(work, i);
        if (work->used[i] || !lies_in(text->box, box))
            continue;
        g_string_append_printf(name, "%s%s", name->len ? " " : "", text->text);
        seen->confidence = MIN(seen->confidence, text->confidence);
        work->used[i] = TRUE;
    }
    char *joined = g_string_free(name, FALSE);
    g_ptr_array_add(work->things->kept, joined);
    seen->text = joined;
    seen->source |= HF_SOURCE_OCR;
    if (inside->count == 1) {
        seen->parts = text_at(work, inside->first)->parts;
        seen->part_count = text_at(work, inside->first)->part_count;
    }
}

static gboolean is_in_middle(HfRect text, HfRect frame)
{
    int left = text.x - frame.x, right = right_of(frame) - right_of(text);
    return abs(left - right) <= MAX(MIDDLE_PX, frame.width * MIDDLE_PERCENT / 100);
}

/* A small sign at the right end of a frame: the arrow of a list that drops down. */
static gboolean has_arrow(const Work *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = shape_at(work, i);
        if (shape->kind == HF_SHAPE_ICON && lies_in(shape->box, frame) &&
            find_word(work, shape->box) < 0 && shape->box.width <= 2 * shape->box.height + 4 &&
            shape->box.height <= 14 &&
            right_of(frame) - right_of(shape->box) <= 2 * shape->box.width + 4)
            return TRUE;
    }
    return FALSE;
}

/* Whether a sign stands in the middle of a frame. */
static gboolean has_symbol(const Work *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = shape_at(work, i);
        if (shape->kind == HF_SHAPE_ICON && lies_in(shape->box, frame) &&
            is_in_middle(shape->box, frame))
            return TRUE;
    }
    return FALSE;
}

/* What is drawn on a button is part of it. */
static void swallow(Work *work, HfRect frame)
{
    for (guint i = 0; i < work->shapes->len; i++) {
        HfRect box = shape_at(work, i)->box;
        if (!hf_rect_equal(box, frame) && lies_in(box, frame))
            work->gone[i] = TRUE;
    }
}

/* ---- fields and their labels ---- */

static gboolean is_field(int role)
{
    return role == HF_ROLE_ENTRY || role == HF_ROLE_COMBO_BOX;
}

/* The field that a text is the label of; -1: none. */
static int field_of(const Work *work, HfRect label)
{
    int found = -1;
    double least = 0;
    for (guint i = 0; i < work->things->seen->len; i++) {
        const HfSeen *seen = &g_array_index(work->things->seen, HfSeen, i);
        double distance = is_field(seen->role) ? hf_nearness_label(label, seen->box) : -1;
        if (distance < 0 || (found >= 0 && distance >= least))
            continue;
        found = (int)i;
        least = distance;
    }
    return found;
}

static gboolean is_in_field(const Work *work, HfRect text)
{
    for (guint i = 0; i < work->things->seen->len; i++) {
        const HfSeen *seen = &g_array_index(work->things->seen, HfSeen, i);
        if (is_field(seen->role) && lies_in(text, seen->box))
            return TRUE;
    }
    return FALSE;
}

/* Each field gets the nearest of the labels whose nearest field it is. */
static void give_labels(Work *work)
{
    g_autofree double *distances = g_new0(double, work->things->seen->len + 1);
    for (guint i = 0; i < work->texts->len; i++) {
        const HfSeen *text = text_at(work, i);
        gboolean free = !work->used[i] && !is_in_field(work, text->box);
        int field = free ? field_of(work, text->box) : -1;
        if (field < 0)
            continue;
        HfSeen *seen = &g_array_index(work->things->seen, HfSeen, field);
        double distance = hf_nearness_label(text->box, seen->box);
        if (seen->label && distances[field] <= distance)
            continue;
        seen->label = text->text;
        distances[field] = distance;
    }
}

/* What stands in a field that has no label says what to write there. */
static void name_unlabelled(Work *work)
{
    for (guint i = 0; i < work->things->seen->len; i++) {
        HfSeen *seen = &g_array_index(work->things->seen, HfSeen, i);
        if (!is_field(seen->role) || seen->label)
            continue;
        Inside inside = look_inside(work, seen->box);
        if (inside.count > 0)
            take_texts(work, seen->box, &inside, seen);
    }
}

/* ---- frames ---- */

/* A button shows what it does in its middle; a field has room to write. */
static int role_of_frame(const Work *work, const HfShape *shape, const Inside *inside)
{
    gboolean middle = inside->count > 0 ? is_in_middle(inside->box, shape->box)
                                        : shape->marked || has_symbol(work, shape->box);
    if (shape->kind == HF_SHAPE_BUTTON || shape->box.width < FIELD_LEAST)
        return HF_ROLE_BUTTON;
    if (has_arrow(work, shape->box))
        return HF_ROLE_COMBO_BOX;
    if (middle)
        return HF_ROLE_BUTTON;
    if (!shape->coloured)
        return HF_ROLE_ENTRY;
    return inside->count > 0 ? HF_ROLE_LIST_ITEM : HF_ROLE_BUTTON;
}

static gboolean is_blank(const Work *work, const HfShape *shape, const Inside *inside)
{
    return inside->count == 0 && !shape->marked && !has_symbol(work, shape->box);
}

static void add_frame(Work *work, guint index)
{
    const HfShape *shape = shape_at(work, index);
    Inside inside = look_inside(work, shape->box);
    gboolean unknown = inside.count == 0 && is_unread(work, shape->box);
    HfSeen seen = new_seen(work, shape, role_of_frame(work, shape, &inside));
    work->gone[index] = TRUE;
    if (inside.apart || unknown || (seen.role == HF_ROLE_BUTTON && is_blank(work, shape, &inside)))
        return;
    if (seen.role == HF_ROLE_LIST_ITEM)
        seen.states = HF_STATE(HF_STATE_SELECTED);
    if (!is_field(seen.role) && inside.count > 0)
        take_texts(work, shape->box, &inside, &seen);
    if (seen.role != HF_ROLE_ENTRY)
        swallow(work, shape->box);
    g_array_append_val(work->things->seen, seen);
}

/* ---- boxes and circles ---- */

static int find_beside(const Work *work, HfRect box)
{
    int found = -1;
    double least = BESIDE_PX;
    for (guint i = 0; i < work->texts->len; i++) {
        double gap = hf_nearness_from(box, text_at(work, i)->box, HF_DIRECTION_RIGHT);
        if (work->used[i] || gap < 0 || gap > least)
            continue;
        found = (int)i;
        least = gap;
    }
    return found;
}

/* A mark in a box may have been read as a letter. */
static void forget_inside(Work *work, HfRect box)
{
    for (guint i = 0; i < work->texts->len; i++)
        work->used[i] = work->used[i] || lies_in(text_at(work, i)->box, box);
}

static void add_tick(Work *work, guint index)
{
    const HfShape *shape = shape_at(work, index);
    gboolean box = shape->kind == HF_SHAPE_BOX;
    HfSeen seen = new_seen(work, shape, box ? HF_ROLE_CHECK_BOX : HF_ROLE_RADIO_BUTTON);
    forget_inside(work, shape->box);
    int beside = find_beside(work, shape->box);
    work->gone[index] = TRUE;
    if (shape->marked)
        seen.states = HF_STATE(HF_STATE_CHECKED);
    if (beside >= 0) {
        take_text(work, (guint)beside, &seen);
    } else if (!box) { /* the knob of a slider, a dot */
        seen.role = HF_ROLE_ICON;
        seen.states = 0;
    }
    g_array_append_val(work->things->seen, seen);
}

/* ---- all of them ---- */

static void add_texts(Work *work)
{
    for (guint i = 0; i < work->texts->len; i++)
        if (!work->used[i])
            g_array_append_val(work->things->seen, *text_at(work, i));
}

static int by_top(gconstpointer a, gconstpointer b)
{
    return ((const HfSeen *)a)->box.y - ((const HfSeen *)b)->box.y;
}

static int by_left(gconstpointer a, gconstpointer b)
{
    return ((const HfSeen *)a)->box.x - ((const HfSeen *)b)->box.x;
}

/* A row is what has its middle beside the first of it. */
static void sort_as_read(GArray *seen)
{
    HfSeen *all = (HfSeen *)(gpointer)seen->data;
    g_array_sort(seen, by_top);
    for (guint begin = 0, end; begin < seen->len; begin = end) {
        int bottom = all[begin].box.y + all[begin].box.height;
        for (end = begin + 1; end < seen->len && all[end].box.y + all[end].box.height / 2 < bottom;)
            end++;
        qsort(all + begin, end - begin, sizeof *all, by_left);
    }
}

void hf_things_init(HfThings *things, const GArray *texts, const GArray *shapes,
                    const GArray *unread)
{
    g_autofree gboolean *used = g_new0(gboolean, texts->len + 1);
    g_autofree gboolean *nothing = g_new0(gboolean, texts->len + 1);
    g_autofree gboolean *gone = g_new0(gboolean, shapes->len + 1);
    Work work = {things, texts, shapes, unread, used, nothing, gone};
    *things = (HfThings){g_array_new(FALSE, FALSE, sizeof(HfSeen)),
                         g_ptr_array_new_with_free_func(g_free)};
    forget_signs(&work);
    for (guint i = 0; i < shapes->len; i++)
        if (shape_at(&work, i)->kind == HF_SHAPE_BOX || shape_at(&work, i)->kind == HF_SHAPE_CIRCLE)
            add_tick(&work, i);
    for (guint i = 0; i < shapes->len; i++)
        if (shape_at(&work, i)->kind == HF_SHAPE_FRAME ||
            shape_at(&work, i)->kind == HF_SHAPE_BUTTON)
            add_frame(&work, i);
    for (guint i = 0; i < shapes->len; i++)
        if (!gone[i])
            add_icon(&work, i);
    give_labels(&work);
    name_unlabelled(&work);
    add_texts(&work);
    sort_as_read(things->seen);
}

void hf_things_clear(HfThings *things)
{
    g_clear_pointer(&things->seen, g_array_unref);
    g_clear_pointer(&things->kept, g_ptr_array_unref);
}
