/* SPDX-License-Identifier: Apache-2.0 */
/* Things with one parent, in the order in which the program has them, are taken for a group when
 * they stand in one line, below each other, or when what follows repeats what came before. A box
 * that the program tells of itself stands for the group that fills it. */
#include "hand/locate/families.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/tree/roles.h"

/* Fewer are no bar and no column. */
#define LEAST_BAR 3
/* Higher is no part of a bar; wider no word in it. */
#define BAR_PX  72
#define WORD_PX 220
/* Around the middle of a line, and between what stands below each other. */
#define LINE_PX    9
#define ALIGNED_PX 6
#define GAP_PX     40
/* Cards that repeat: so many of so many things each; higher ones are sections of a page. */
#define LEAST_CARDS 3
#define LEAST_PARTS 3
#define MOST_PARTS  40
#define CARD_PX     640
/* What is beside a field in a bar that searches. */
#define NEXT_WORDS "next|previous|find|search|下一个|上一个|查找|搜索"
/* What a window does with itself is no bar of tools. */
#define FRAME_WORDS "minimize|maximize|最小化|最大化"
/* Not the second guess at a drawing. */
#define SURE_WORTH 0.7
/* Letters of all that a bar holds. */
#define MOST_LETTERS 200
/* So much of the larger one must two boxes share to be one, in hundredth. */
#define ONE_PERCENT 80

/* Children of one parent, as indices of things. */
typedef struct Family {
    const HfScene *scene;
    GArray *members; /* of int */
} Family;

static const HfThing *member(const Family *family, guint at)
{
    return hf_scene_get(family->scene, g_array_index(family->members, int, at));
}

static HfThing *edit(HfScene *scene, int index)
{
    return &g_array_index(scene->things, HfThing, index);
}

/* ---- what may be in a bar ---- */

static gboolean is_word(const HfThing *thing)
{
    return thing->loose && thing->text_count > 0 && thing->box.width <= WORD_PX;
}

static gboolean is_usable(const HfThing *thing)
{
    switch (thing->role) {
    case HF_ROLE_BUTTON:
    case HF_ROLE_TOGGLE_BUTTON:
    case HF_ROLE_RADIO_BUTTON:
    case HF_ROLE_CHECK_BOX:
    case HF_ROLE_COMBO_BOX:
    case HF_ROLE_SLIDER:
    case HF_ROLE_SPIN_BUTTON:
    case HF_ROLE_ICON:
    case HF_ROLE_IMAGE:
    case HF_ROLE_LINK:
    case HF_ROLE_SWITCH:
    case HF_ROLE_ENTRY:
    case HF_ROLE_PUSH_BUTTON_MENU:
    case HF_ROLE_PAGE_TAB:
        return TRUE;
    default:
        return is_word(thing);
    }
}

static gboolean is_small(const HfThing *thing)
{
    return !thing->area && thing->box.height <= BAR_PX && thing->row == HF_NODE_NONE &&
           thing->node != HF_NODE_NONE;
}

/* ---- adding a group ---- */

static HfRect unite(const Family *family, guint begin, guint end)
{
    HfRect box = member(family, begin)->box;
    for (guint i = begin + 1; i < end; i++)
        box = hf_rect_unite(box, member(family, i)->box);
    return box;
}

static gint64 extent(HfRect box)
{
    return (gint64)box.width * box.height;
}

static gboolean is_one(HfRect a, HfRect b)
{
    return extent(hf_rect_intersect(a, b)) * 100 >= MAX(extent(a), extent(b)) * ONE_PERCENT;
}

/* The box that the program tells around them, or a new one. */
static int ensure_box(HfScene *scene, const Family *family, guint begin, guint end, int role)
{
    HfRect box = unite(family, begin, end);
    const HfThing *first = member(family, begin);
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, (int)i);
        if (thing->area && thing->window == first->window && is_one(thing->box, box))
            return (int)i;
    }
    HfThing thing = {.node = HF_NODE_NONE,
                     .role = role,
                     .box = box,
                     .window = first->window,
                     .source = first->source,
                     .read = 1,
                     .row = HF_NODE_NONE,
                     .as_row = HF_NODE_NONE,
                     .grouped = TRUE,
                     .area = TRUE};
    g_array_append_val(scene->things, thing);
    return (int)scene->things->len - 1;
}

static const char *text_of(const HfThing *thing)
{
    return thing->text_count > 0 ? thing->texts[0].name->text : "";
}

static gboolean is_number(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!g_ascii_isdigit(*at))
            return FALSE;
    return *text != '\0';
}

static gboolean any_begins(const Family *family, guint begin, guint end, const char *words)
{
    g_auto(GStrv) each = g_strsplit(words, "|", -1);
    for (guint i = begin; i < end; i++)
        for (char **word = each; *word; word++)
            if (g_ascii_strncasecmp(text_of(member(family, i)), *word, strlen(*word)) == 0)
                return TRUE;
    return FALSE;
}

static gboolean has_field(const Family *family, guint begin, guint end)
{
    for (guint i = begin; i < end; i++)
        if (member(family, i)->role == HF_ROLE_ENTRY || member(family, i)->role == HF_ROLE_TEXT)
            return TRUE;
    return FALSE;
}

static gboolean is_called(const HfThing *thing, const char *word)
{
    for (int i = 0; i < thing->text_count; i++)
        if (thing->texts[i].worth >= SURE_WORTH &&
            g_ascii_strcasecmp(thing->texts[i].name->text, word) == 0)
            return TRUE;
    return FALSE;
}

static gboolean any_is(const Family *family, guint begin, guint end, const char *words)
{
    g_auto(GStrv) each = g_strsplit(words, "|", -1);
    for (guint i = begin; i < end; i++)
        for (char **word = each; *word; word++)
            if (is_called(member(family, i), *word))
                return TRUE;
    return FALSE;
}

/* Between the parts of a path. */
static gboolean any_begins_with_sign(const Family *family, guint begin, guint end)
{
    for (guint i = begin; i < end; i++) {
        g_autofree char *text = g_strstrip(g_strdup(text_of(member(family, i))));
        if (g_str_has_prefix(text, "/") || g_str_has_prefix(text, ">") ||
            g_str_has_prefix(text, "›") || g_str_has_prefix(text, "»"))
            return TRUE;
    }
    return FALSE;
}

/* What people call such a bar, which is written nowhere. */
static const char *find_usual_name(const Family *family, guint begin, guint end)
{
    guint numbers = 0;
    for (guint i = begin; i < end; i++)
        numbers += is_number(text_of(member(family, i)));
    if (numbers >= LEAST_BAR && numbers * 3 >= end - begin)
        return "pagination";
    if (any_begins_with_sign(family, begin, end))
        return "breadcrumb";
    if (any_is(family, begin, end, "play|pause|播放|暂停"))
        return "player";
    return has_field(family, begin, end) && any_begins(family, begin, end, NEXT_WORDS) ? "find"
                                                                                       : NULL;
}

static char *dup_contents(const Family *family, guint begin, guint end)
{
    g_autoptr(GString) text = g_string_new("");
    for (guint i = begin; i < end; i++)
        for (int k = 0; k < member(family, i)->text_count && text->len < MOST_LETTERS; k++)
            if (member(family, i)->texts[k].of != HF_TEXT_OF_DESCRIPTION)
                g_string_append_printf(text, "%s ", member(family, i)->texts[k].name->text);
    return g_strdup(g_strstrip(text->str));
}

static const char *find_first_text(const Family *family, guint begin, guint end)
{
    for (guint i = begin; i < end; i++) {
        const HfThing *thing = member(family, i);
        if (thing->text_count > 0 && thing->texts[0].of == HF_TEXT_OF_NAME)
            return text_of(thing);
    }
    return NULL;
}

/* ---- bars and columns ---- */

typedef gboolean (*Follows)(const HfThing *first, const HfThing *before, const HfThing *thing);

static gboolean follows_across(const HfThing *first, const HfThing *before, const HfThing *thing)
{
    return abs(hf_rect_middle(first->box).y - hf_rect_middle(thing->box).y) <= LINE_PX &&
           thing->box.x >= before->box.x + before->box.width - LINE_PX;
}

static gboolean follows_down(const HfThing *first, const HfThing *before, const HfThing *thing)
{
    int gap = thing->box.y - (before->box.y + before->box.height);
    int lower = MIN(first->box.height, thing->box.height);
    gboolean aligned =
        abs(first->box.x - thing->box.x) <= ALIGNED_PX ||
        abs(hf_rect_middle(first->box).x - hf_rect_middle(thing->box).x) <= ALIGNED_PX;
    return aligned && gap >= -ALIGNED_PX && gap <= GAP_PX &&
           MAX(first->box.height, thing->box.height) * 5 <= lower * 8;
}

static guint count_icons(const Family *family, guint begin, guint end)
{
    guint count = 0;
    for (guint i = begin; i < end; i++) {
        const HfThing *thing = member(family, i);
        count += !is_word(thing) && thing->box.width * 2 <= thing->box.height * 3;
    }
    return count;
}

static guint count_links(const Family *family, guint begin, guint end)
{
    guint count = 0;
    for (guint i = begin; i < end; i++)
        count += member(family, i)->role == HF_ROLE_LINK;
    return count;
}

static void add_line(HfScene *scene, const Family *family, guint begin, guint end, gboolean down)
{
    guint usable = 0;
    for (guint i = begin; i < end; i++)
        usable += is_usable(member(family, i));
    if (usable < LEAST_BAR || any_is(family, begin, end, FRAME_WORDS))
        return;
    guint icons = count_icons(family, begin, end);
    gboolean tools = !down || icons == end - begin;
    g_autofree char *contents = dup_contents(family, begin, end);
    const char *usual = find_usual_name(family, begin, end);
    int box = ensure_box(scene, family, begin, end, tools ? HF_ROLE_TOOL_BAR : HF_ROLE_LIST);
    edit(scene, box)->bar = tools;
    edit(scene, box)->tools =
        icons * 2 > end - begin && !(usual && g_str_equal(usual, "pagination"));
    edit(scene, box)->leads = count_links(family, begin, end) * 2 > end - begin;
    hf_thing_add_text(edit(scene, box), usual, HF_TEXT_OF_CONTENTS);
    hf_thing_add_text(edit(scene, box), contents, HF_TEXT_OF_CONTENTS);
    for (guint i = begin; i < end && !down && usable == end - begin; i++) {
        HfThing *thing = edit(scene, g_array_index(family->members, int, i));
        thing->chip = thing->text_count > 0 && thing->texts[0].of == HF_TEXT_OF_NAME &&
                      thing->box.width * 4 > thing->box.height * 5;
    }
}

static void find_lines(HfScene *scene, const Family *family, Follows follows, gboolean down)
{
    for (guint begin = 0, end; begin < family->members->len; begin = end) {
        end = begin + 1;
        if (!is_small(member(family, begin)))
            continue;
        while (end < family->members->len && is_small(member(family, end)) &&
               follows(member(family, begin), member(family, end - 1), member(family, end)))
            end++;
        if (end - begin >= LEAST_BAR)
            add_line(scene, family, begin, end, down);
    }
}

/* ---- rows of cells ---- */

static void add_row(HfScene *scene, const Family *family, guint begin, guint end, int role)
{
    int id = HF_FAMILY_ROW + (int)scene->things->len;
    HfThing thing = {.node = HF_NODE_NONE,
                     .role = role,
                     .box = unite(family, begin, end),
                     .window = member(family, begin)->window,
                     .source = member(family, begin)->source,
                     .read = 1,
                     .row = HF_NODE_NONE,
                     .as_row = id,
                     .grouped = TRUE,
                     .area = TRUE};
    g_autofree char *contents = dup_contents(family, begin, end);
    hf_thing_add_text(&thing, find_first_text(family, begin, end), HF_TEXT_OF_NAME);
    hf_thing_add_text(&thing, contents, HF_TEXT_OF_CONTENTS);
    int first = member(family, begin)->node;
    int last = hf_tree_end(scene->tree, member(family, end - 1)->node);
    for (guint i = 0; i < scene->things->len; i++) {
        HfThing *part = edit(scene, (int)i);
        if (part->node >= first && part->node < last && part->row == HF_NODE_NONE)
            part->row = id;
    }
    g_array_append_val(scene->things, thing);
}

static gboolean is_lone_cell(const HfThing *thing)
{
    return thing->role == HF_ROLE_TABLE_CELL && thing->row == HF_NODE_NONE;
}

static void find_rows(HfScene *scene, const Family *family)
{
    for (guint begin = 0, end; begin < family->members->len; begin = end) {
        end = begin + 1;
        if (!is_lone_cell(member(family, begin)))
            continue;
        while (end < family->members->len && is_lone_cell(member(family, end)) &&
               follows_across(member(family, begin), member(family, end - 1), member(family, end)))
            end++;
        if (end - begin > 1)
            add_row(scene, family, begin, end, HF_ROLE_TABLE_ROW);
    }
}

/* ---- cards ---- */

/* As a part of a card: a button that is pressed is still that button. */
static int sort_of(const HfThing *thing)
{
    return thing->role == HF_ROLE_TOGGLE_BUTTON ? HF_ROLE_BUTTON : thing->role;
}

/* How many parts from `begin` on are of the same sorts as those from `first` on, at most `most`. */
static guint count_alike(const Family *family, guint first, guint begin, guint most)
{
    guint count = 0;
    while (count < most && begin + count < family->members->len &&
           sort_of(member(family, first + count)) == sort_of(member(family, begin + count)))
        count++;
    return count;
}

static gboolean are_apart(const Family *family, guint first, guint second, guint parts)
{
    HfRect a = unite(family, first, first + parts), b = unite(family, second, second + parts);
    return extent(hf_rect_intersect(a, b)) * 10 < MIN(extent(a), extent(b)) &&
           a.height <= CARD_PX && abs(a.width - b.width) * 4 <= MAX(a.width, b.width);
}

/* How often the `parts` from `begin` on are repeated right after each other, these included. */
static guint count_repeats(const Family *family, guint begin, guint parts)
{
    guint count = 1;
    while (count_alike(family, begin, begin + count * parts, parts) == parts &&
           are_apart(family, begin, begin + count * parts, parts))
        count++;
    return count;
}

static gboolean is_varied(const Family *family, guint begin, guint parts)
{
    for (guint i = 1; i < parts; i++)
        if (sort_of(member(family, begin + i)) != sort_of(member(family, begin)))
            return TRUE;
    return FALSE;
}

static guint find_cards_at(HfScene *scene, const Family *family, guint begin)
{
    for (guint parts = LEAST_PARTS; parts <= MOST_PARTS; parts++) {
        if (begin + LEAST_CARDS * parts > family->members->len)
            return 1;
        guint count = is_varied(family, begin, parts) ? count_repeats(family, begin, parts) : 0;
        if (count < LEAST_CARDS)
            continue;
        HfRect box = unite(family, begin, begin + parts);
        int role =
            box.width > 4 * box.height ? HF_ROLE_TABLE_ROW : hf_node_role_from_name("article");
        for (guint i = 0; i < count; i++)
            add_row(scene, family, begin + i * parts, begin + (i + 1) * parts, role);
        return count * parts;
    }
    return 1;
}

static void find_cards(HfScene *scene, const Family *family)
{
    for (guint begin = 0; begin < family->members->len;) {
        const HfThing *thing = member(family, begin);
        begin += thing->row == HF_NODE_NONE ? find_cards_at(scene, family, begin) : 1;
    }
}

/* ---- families ---- */

/* By the parent, of all things or of those that hold no others. */
static GHashTable *find_families(const HfScene *scene, gboolean areas)
{
    GHashTable *families = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    for (int i = 0; i < (int)scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, i);
        if (thing->node == HF_NODE_NONE || (thing->area && !areas) || hf_thing_is_painted(thing))
            continue;
        gpointer parent = GINT_TO_POINTER(hf_tree_get(scene->tree, thing->node)->parent + 1);
        GArray *members = g_hash_table_lookup(families, parent);
        if (!members) {
            members = g_array_new(FALSE, FALSE, sizeof(int));
            g_hash_table_insert(families, parent, members);
        }
        g_array_append_val(members, i);
    }
    return families;
}

typedef void (*Finder)(HfScene *scene, const Family *family);

static void find_bars(HfScene *scene, const Family *family)
{
    find_lines(scene, family, follows_across, FALSE);
    find_lines(scene, family, follows_down, TRUE);
}

static void each_family(HfScene *scene, gboolean areas, Finder find)
{
    g_autoptr(GHashTable) families = find_families(scene, areas);
    GHashTableIter each;
    gpointer members;
    g_hash_table_iter_init(&each, families);
    while (g_hash_table_iter_next(&each, NULL, &members)) {
        Family family = {scene, members};
        find(scene, &family);
    }
}

void hf_families_note(HfScene *scene)
{
    each_family(scene, FALSE, find_rows);
    each_family(scene, TRUE, find_cards);
    each_family(scene, FALSE, find_bars);
}
