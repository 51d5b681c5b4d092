/* SPDX-License-Identifier: Apache-2.0 */
/* The identity of elements over time. Programs reuse objects for other elements (rows of a
 * scrolling list), and give the same element a new object (a page that renders again). So where
 * several elements look alike, neither the object nor the name alone is trusted. */
#include "hand/atspi/tree/element-fingerprint.h"

#include <string.h>

#include "hand/atspi/tree/label-match.h"
#include "hand/atspi/tree/roles.h"

/* How many nodes inside and around an element count. */
#define INSIDE_NODES  48
#define AROUND_NODES  64
#define AROUND_LEVELS 4

#define HASH_BEGIN G_GUINT64_CONSTANT(0xcbf29ce484222325)
#define HASH_PRIME G_GUINT64_CONSTANT(0x100000001b3)

static guint64 hash_identity_bytes(guint64 hash, const void *bytes, gsize length)
{
    for (gsize i = 0; i < length; i++)
        hash = (hash ^ ((const guint8 *)bytes)[i]) * HASH_PRIME;
    return hash;
}

/* Includes the final NUL, so that "ab", "c" differs from "a", "bc". */
static guint64 hash_identity_text(guint64 hash, const char *text)
{
    return text ? hash_identity_bytes(hash, text, strlen(text) + 1)
                : hash_identity_bytes(hash, "\1", 2);
}

static guint64 hash_identity_number(guint64 hash, int number)
{
    return hash_identity_bytes(hash, &number, sizeof number);
}

/* The name, or the label inside when the name repeats it twice (see label-match.c). */
static char *dup_undoubled_name(const HfTree *tree, int index, const char *name)
{
    int child = hf_tree_get(tree, index)->first_child;
    const char *label = name && child != HF_NODE_NONE ? hf_tree_get(tree, child)->name : NULL;
    if (!label || strlen(name) < 2 * strlen(label) + 1 || !g_str_has_suffix(name, label))
        return g_strdup(name);
    g_autofree char *normal = hf_label_normal(name);
    g_autofree char *once = hf_label_normal(label);
    return g_strdup(strcmp(normal, once) == 0 ? label : name);
}

/* GTK 4 names every tab of a notebook "Tab", and those of a stack by the raw label with its
 * mnemonic mark. */
static gboolean is_unreliable_name(const HfTree *tree, const HfNode *node)
{
    return node->role == HF_ROLE_PAGE_TAB && node->first_child != HF_NODE_NONE &&
           hf_tree_programs(tree) > node->program &&
           strcmp(hf_tree_get_program(tree, node->program)->toolkit, "GTK") == 0;
}

static char *dup_content_texts(const HfTree *tree, int index)
{
    g_autoptr(GString) texts = g_string_new("");
    const char *last = NULL; /* nested labels repeat their text */
    int end = MIN(hf_tree_end(tree, index), index + 1 + INSIDE_NODES);
    for (int i = index + 1; i < end; i++) {
        const char *text = hf_node_label(hf_tree_get(tree, i));
        if (!text || !hf_node_shows_text(hf_tree_get(tree, i)->role) || g_strcmp0(text, last) == 0)
            continue;
        g_string_append_printf(texts, "%s%s", texts->len ? " " : "", text);
        last = text;
    }
    return texts->len ? g_string_free(g_steal_pointer(&texts), FALSE) : NULL;
}

char *hf_node_dup_display_name(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    const char *name = hf_node_label(node);
    g_autofree char *content =
        (name ? is_unreliable_name(tree, node) : hf_node_known_by_content(node->role))
            ? dup_content_texts(tree, index)
            : NULL;
    return content ? g_steal_pointer(&content) : dup_undoubled_name(tree, index, name);
}

/* Hashes the texts below `outer` that are not below `index`; 0: none. */
static guint64 hash_texts_beside(const HfTree *tree, int outer, int index)
{
    int end = MIN(hf_tree_end(tree, outer), outer + 1 + AROUND_NODES);
    guint64 hash = HASH_BEGIN;
    gboolean any = FALSE;
    for (int i = outer + 1; i < end; i++) {
        const HfNode *node = hf_tree_get(tree, i);
        gboolean own = i >= index && i < hf_tree_end(tree, index);
        if (own || !node->name || !*node->name || !hf_node_shows_text(node->role))
            continue;
        hash = hash_identity_text(hash, node->name);
        any = TRUE;
    }
    return any ? hash : 0;
}

/* A painted element has no structure around it: its row is what stands beside it. A sum does not
 * depend on the order, which may change between lines of nearly equal height. */
static guint64 sum_row_texts(const HfTree *tree, int index)
{
    const HfNode *own = hf_tree_get(tree, index);
    guint64 sum = 0;
    if (own->parent == HF_NODE_NONE)
        return 0;
    for (int i = hf_tree_get(tree, own->parent)->first_child; i != HF_NODE_NONE;
         i = hf_tree_get(tree, i)->next_sibling) {
        const HfNode *node = hf_tree_get(tree, i);
        HfRect a = own->bounds, b = node->bounds;
        int common = MIN(a.y + a.height, b.y + b.height) - MAX(a.y, b.y);
        gboolean beside = 2 * common >= MIN(a.height, b.height);
        if (i != index && hf_node_label(node) && beside)
            sum += hash_identity_text(HASH_BEGIN, node->name);
    }
    return sum;
}

/* A hash of the texts in its row, which tell it from elements that look alike. 0: no texts. */
static guint64 hash_surroundings(const HfTree *tree, int index)
{
    if (hf_node_is_painted(hf_tree_get(tree, index)))
        return sum_row_texts(tree, index);
    int outer = hf_tree_get(tree, index)->parent;
    for (int level = 0; level < AROUND_LEVELS && outer != HF_NODE_NONE; level++) {
        guint64 hash = hash_texts_beside(tree, outer, index);
        if (hash)
            return hash;
        outer = hf_tree_get(tree, outer)->parent;
    }
    return 0;
}

/* The names of windows are left out: titles change. */
guint64 hf_fingerprint(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    guint64 hash = hash_identity_number(HASH_BEGIN, node->role);
    hash = hash_identity_text(hash, node->name);
    for (int at = node->parent; at != HF_NODE_NONE; at = hf_tree_get(tree, at)->parent) {
        const HfNode *outer = hf_tree_get(tree, at);
        hash = hash_identity_number(hash, outer->role);
        if (outer->parent != HF_NODE_NONE)
            hash = hash_identity_text(hash, outer->name);
    }
    hash = hash_identity_bytes(hash, &node->bounds, sizeof node->bounds);
    int end = MIN(hf_tree_end(tree, index), index + 1 + INSIDE_NODES);
    for (int i = index + 1; i < end; i++) {
        hash = hash_identity_number(hash, hf_tree_get(tree, i)->role);
        hash = hash_identity_text(hash, hf_tree_get(tree, i)->name);
    }
    return hash;
}

char *hf_fingerprint_to_text(guint64 fingerprint)
{
    return g_strdup_printf("%012" G_GINT64_MODIFIER "x",
                           fingerprint & G_GUINT64_CONSTANT(0xffffffffffff));
}

/* An icon without a name: `path` is the hash of its picture. */
static gboolean is_known_by_looks(const HfNode *node)
{
    return hf_node_is_painted(node) && node->path && !hf_node_label(node) &&
           !hf_node_takes_label(node->role);
}

/* Typing changes the picture of a painted field, and may be its only name, so its position
 * identifies it. The same goes for a switch, which looks like another one when it is turned. */
static gboolean is_painted_field(const HfNode *node)
{
    return hf_node_is_painted(node) &&
           (node->role == HF_ROLE_ENTRY || node->role == HF_ROLE_COMBO_BOX ||
            node->role == HF_ROLE_TEXT || node->role == HF_ROLE_SWITCH ||
            node->role == HF_ROLE_SLIDER);
}

static HfRect place_in_window(const HfTree *tree, int index)
{
    HfRect own = hf_tree_get(tree, index)->bounds;
    int root = index;
    while (hf_tree_get(tree, root)->parent != HF_NODE_NONE)
        root = hf_tree_get(tree, root)->parent;
    HfRect all = hf_tree_get(tree, root)->bounds;
    return (HfRect){own.x - all.x, own.y - all.y, own.width, own.height};
}

static guint64 identity_of_field(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    HfRect place = place_in_window(tree, index);
    guint64 hash = hash_identity_number(HASH_BEGIN, node->role);
    hash = hash_identity_number(hash, (int)node->window);
    hash = hash_identity_text(hash, node->description);
    return hash_identity_bytes(hash, &place, sizeof place);
}

guint64 hf_fingerprint_identity(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    if (is_painted_field(node))
        return identity_of_field(tree, index);
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    guint64 around = hash_surroundings(tree, index);
    guint64 hash = hash_identity_text(HASH_BEGIN, hf_tree_get_program(tree, node->program)->bus);
    if (!hf_node_is_painted(node) || is_known_by_looks(node))
        hash = hash_identity_text(hash, node->path);
    hash = hash_identity_number(hash, node->role);
    hash = hash_identity_text(hash, called);
    if (hf_node_is_painted(node)) /* its program may have no bus name */
        hash = hash_identity_number(hash, (int)node->window);
    return hash_identity_bytes(hash, &around, sizeof around);
}

/* The earlier element, with the properties that are compared. */
typedef struct Known {
    const HfTree *tree;
    int index;
    const HfNode *node;
    const char *bus;
    char *called;
    guint64 around;
} Known;

static void known_clear(Known *known)
{
    g_free(known->called);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Known, known_clear)

static Known new_known_element(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return (Known){tree,
                   index,
                   node,
                   hf_tree_get_program(tree, node->program)->bus,
                   hf_node_dup_display_name(tree, index),
                   hash_surroundings(tree, index)};
}

/* Same program, role and name. */
static gboolean is_same_kind(const Known *known, const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    if (node->role != known->node->role ||
        strcmp(hf_tree_get_program(tree, node->program)->bus, known->bus) != 0)
        return FALSE;
    if (is_known_by_looks(known->node) && g_strcmp0(node->path, known->node->path) != 0)
        return FALSE;
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    return g_strcmp0(called, known->called) == 0;
}

/* How many elements of its window are alike, and the last of them. */
static int count_same_kind(const Known *known, const HfTree *tree, gboolean surroundings,
                           int *ret_index)
{
    int count = 0;
    for (int i = 0; i < hf_tree_size(tree); i++) {
        if (hf_tree_get(tree, i)->window != known->node->window || !is_same_kind(known, tree, i))
            continue;
        if (surroundings && hash_surroundings(tree, i) != known->around)
            continue;
        count++;
        *ret_index = i;
    }
    return count;
}

static HfReidentified classify_move(const Known *known, const HfTree *now, int index,
                                    int *ret_index)
{
    *ret_index = index;
    return hf_rect_equal(known->node->bounds, hf_tree_get(now, index)->bounds)
               ? HF_REIDENTIFIED_SAME
               : HF_REIDENTIFIED_MOVED;
}

/* Another object, but the only one that is alike. */
static gboolean find_only_match(const Known *known, const HfTree *now, gboolean unique,
                                int *ret_index)
{
    gboolean named = known->called || is_known_by_looks(known->node);
    if (unique && named && count_same_kind(known, now, FALSE, ret_index) == 1)
        return TRUE;
    return known->around && count_same_kind(known, now, TRUE, ret_index) == 1;
}

/* Among several that look alike: the one at the same place in its window, as long as there are as
 * many as before. */
static gboolean find_in_place(const Known *known, const HfTree *now, int *ret_index)
{
    int other;
    HfRect was = place_in_window(known->tree, known->index);
    if (!hf_node_is_painted(known->node) || (!known->called && !is_known_by_looks(known->node)) ||
        count_same_kind(known, known->tree, FALSE, &other) !=
            count_same_kind(known, now, FALSE, &other))
        return FALSE;
    for (int i = 0; i < hf_tree_size(now); i++) {
        HfRect is = place_in_window(now, i);
        if (is.x == was.x && is.y == was.y && hf_tree_get(now, i)->window == known->node->window &&
            is_same_kind(known, now, i) && hash_surroundings(now, i) == known->around) {
            *ret_index = i;
            return TRUE;
        }
    }
    return FALSE;
}

/* A painted field stays in place, whatever is typed into it. With another label it is another
 * field.
 */
static gboolean find_painted_field(const Known *known, const HfTree *now, int *ret_index)
{
    HfRect was = place_in_window(known->tree, known->index);
    if (!is_painted_field(known->node))
        return FALSE;
    for (int i = 0; i < hf_tree_size(now); i++) {
        const HfNode *node = hf_tree_get(now, i);
        if (node->window == known->node->window && node->role == known->node->role &&
            is_painted_field(node) && hf_rect_equal(place_in_window(now, i), was) &&
            g_strcmp0(node->description, known->node->description) == 0) {
            *ret_index = i;
            return TRUE;
        }
    }
    return FALSE;
}

HfReidentified hf_fingerprint_find(const HfTree *before, int index, const HfTree *now,
                                   int *ret_index)
{
    g_auto(Known) known = new_known_element(before, index);
    gboolean has_object = known.node->path && !hf_node_is_painted(known.node);
    int object = has_object ? hf_tree_find(now, known.bus, known.node->path) : HF_NODE_NONE;
    int other = HF_NODE_NONE;
    gboolean unique = count_same_kind(&known, before, FALSE, &other) == 1;
    if (object != HF_NODE_NONE && is_same_kind(&known, now, object) &&
        (unique || hash_surroundings(now, object) == known.around))
        return classify_move(&known, now, object, ret_index);
    if (find_painted_field(&known, now, &other) || find_only_match(&known, now, unique, &other) ||
        find_in_place(&known, now, &other))
        return classify_move(&known, now, other, ret_index);
    if (object == HF_NODE_NONE)
        return HF_REIDENTIFIED_GONE;
    *ret_index = object;
    return HF_REIDENTIFIED_CHANGED;
}
