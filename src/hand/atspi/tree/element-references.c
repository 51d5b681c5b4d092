/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers snapshots, and the references of elements in them. Each snapshot holds its tree; only
 * elements that were shown get a reference. Snapshots are limited by count, by total elements, and
 * by age; the oldest goes first. */
#include "hand/atspi/tree/element-references.h"

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "shared/base/error.h"

/* How many numbers one write to the disk reserves. */
#define NUMBERS_AHEAD 1000

typedef struct Snapshot {
    guint number, uses;
    gint64 taken;
    HfTree *tree;
    GHashTable *names;   /* index → ref */
    GHashTable *indices; /* ref → index */
} Snapshot;

struct HfReferences {
    GMutex lock;
    GPtrArray *snapshots;   /* of Snapshot, oldest first */
    GHashTable *by_element; /* identity → ref, of all remembered snapshots */
    char *path;
    guint next_ref, next_snapshot, set_aside;
    gint64 aged;
};

static void snapshot_free(gpointer data)
{
    Snapshot *snapshot = data;
    hf_tree_unref(snapshot->tree);
    g_hash_table_unref(snapshot->names);
    g_hash_table_unref(snapshot->indices);
    g_free(snapshot);
}

/* The last number that an earlier hand may have used. */
static guint read_last(const char *path)
{
    g_autofree char *text = NULL;
    guint64 last = 0;
    if (path && g_file_get_contents(path, &text, NULL, NULL))
        g_ascii_string_to_unsigned(g_strstrip(text), 10, 0, G_MAXINT / 2, &last, NULL);
    return (guint)last;
}

HfReferences *hf_references_new(const char *directory)
{
    HfReferences *references = g_new0(HfReferences, 1);
    g_mutex_init(&references->lock);
    references->snapshots = g_ptr_array_new_with_free_func(snapshot_free);
    references->by_element = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    references->path = directory ? g_build_filename(directory, "references", NULL) : NULL;
    references->set_aside = read_last(references->path);
    references->next_ref = references->next_snapshot = references->set_aside + 1;
    return references;
}

void hf_references_free(HfReferences *references)
{
    if (!references)
        return;
    g_ptr_array_unref(references->snapshots);
    g_hash_table_unref(references->by_element);
    g_free(references->path);
    g_mutex_clear(&references->lock);
    g_free(references);
}

/* Stores the reservation before a number is used. */
static guint reserve_number(HfReferences *references, guint *next)
{
    if (*next > references->set_aside) {
        references->set_aside = *next + NUMBERS_AHEAD;
        g_autofree char *text = g_strdup_printf("%u\n", references->set_aside);
        if (references->path)
            g_file_set_contents(references->path, text, -1, NULL);
    }
    return (*next)++;
}

static gint64 aged_now_ms(const HfReferences *references)
{
    return g_get_monotonic_time() / 1000 + references->aged;
}

/* Drops references that only forgotten snapshots had. */
static void drop_unused_references(HfReferences *references)
{
    GHashTableIter iter;
    gpointer ref;
    g_hash_table_iter_init(&iter, references->by_element);
    while (g_hash_table_iter_next(&iter, NULL, &ref)) {
        gboolean used = FALSE;
        for (guint i = 0; i < references->snapshots->len && !used; i++) {
            const Snapshot *snapshot = references->snapshots->pdata[i];
            used = g_hash_table_contains(snapshot->indices, ref);
        }
        if (!used)
            g_hash_table_iter_remove(&iter);
    }
}

static void drop_old_snapshots(HfReferences *references)
{
    gint64 now = aged_now_ms(references);
    int nodes = 0;
    guint dropped = 0, keep = references->snapshots->len;
    for (guint i = references->snapshots->len; i-- > 0;) {
        const Snapshot *snapshot = references->snapshots->pdata[i];
        nodes += hf_tree_size(snapshot->tree);
        if ((keep - i > 1 && nodes > HF_LIMIT_SNAPSHOT_NODES) || keep - i > HF_LIMIT_SNAPSHOTS ||
            now - snapshot->taken > HF_LIMIT_SNAPSHOT_FORGET_MS) {
            dropped = i + 1;
            break;
        }
    }
    if (dropped == 0)
        return;
    g_ptr_array_remove_range(references->snapshots, 0, dropped);
    drop_unused_references(references);
}

guint hf_references_add_snapshot(HfReferences *references, HfTree *tree)
{
    Snapshot *snapshot = g_new0(Snapshot, 1);
    snapshot->tree = hf_tree_ref(tree);
    snapshot->names = g_hash_table_new(NULL, NULL);
    snapshot->indices = g_hash_table_new(NULL, NULL);
    g_mutex_lock(&references->lock);
    snapshot->number = reserve_number(references, &references->next_snapshot);
    snapshot->taken = aged_now_ms(references);
    g_ptr_array_add(references->snapshots, snapshot);
    drop_old_snapshots(references);
    guint number = snapshot->number;
    g_mutex_unlock(&references->lock);
    return number;
}

static Snapshot *find_snapshot(const HfReferences *references, guint number)
{
    for (guint i = references->snapshots->len; i-- > 0;) {
        Snapshot *snapshot = references->snapshots->pdata[i];
        if (snapshot->number == number)
            return snapshot;
    }
    return NULL;
}

static guint assign_reference(HfReferences *references, Snapshot *snapshot, int index)
{
    gint64 identity = (gint64)hf_fingerprint_identity(snapshot->tree, index);
    guint ref = GPOINTER_TO_UINT(g_hash_table_lookup(references->by_element, &identity));
    /* Two elements of one snapshot never share a reference, however alike they are. */
    gboolean taken = ref && g_hash_table_contains(snapshot->indices, GUINT_TO_POINTER(ref));
    if (!ref || taken)
        ref = reserve_number(references, &references->next_ref);
    if (!taken)
        g_hash_table_insert(references->by_element, g_memdup2(&identity, sizeof identity),
                            GUINT_TO_POINTER(ref));
    g_hash_table_insert(snapshot->names, GINT_TO_POINTER(index), GUINT_TO_POINTER(ref));
    g_hash_table_insert(snapshot->indices, GUINT_TO_POINTER(ref), GINT_TO_POINTER(index));
    return ref;
}

guint hf_references_name(HfReferences *references, guint snapshot, int index)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&references->lock);
    Snapshot *found = find_snapshot(references, snapshot);
    guint ref =
        found ? GPOINTER_TO_UINT(g_hash_table_lookup(found->names, GINT_TO_POINTER(index))) : 0;
    if (found && !ref)
        ref = assign_reference(references, found, index);
    return ref;
}

HfTree *hf_references_dup_tree(HfReferences *references, guint snapshot, GError **error)
{
    g_mutex_lock(&references->lock);
    const Snapshot *found = find_snapshot(references, snapshot);
    HfTree *tree = found ? hf_tree_ref(found->tree) : NULL;
    g_mutex_unlock(&references->lock);
    if (!tree)
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                "snapshot s%u is unknown or has been forgotten; take a new one", snapshot);
    return tree;
}

static Snapshot *find_with(const HfReferences *references, guint number, guint ref)
{
    for (guint i = references->snapshots->len; i-- > 0;) {
        Snapshot *snapshot = references->snapshots->pdata[i];
        if ((number == 0 || snapshot->number == number) &&
            g_hash_table_contains(snapshot->indices, GUINT_TO_POINTER(ref)))
            return snapshot;
    }
    return NULL;
}

gboolean hf_references_look_up(HfReferences *references, guint snapshot, guint ref,
                               HfReference *ret_reference, GError **error)
{
    g_mutex_lock(&references->lock);
    Snapshot *found = find_with(references, snapshot, ref);
    if (found) {
        gpointer index = g_hash_table_lookup(found->indices, GUINT_TO_POINTER(ref));
        gboolean expired = aged_now_ms(references) - found->taken > HF_LIMIT_SNAPSHOT_MS ||
                           found->uses >= HF_LIMIT_SNAPSHOT_USES;
        found->uses++;
        *ret_reference =
            (HfReference){hf_tree_ref(found->tree), GPOINTER_TO_INT(index), found->number, expired};
    }
    g_mutex_unlock(&references->lock);
    if (!found) {
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                "e%u is unknown%s; look again with find, observe or ui_describe", ref,
                snapshot ? " in that snapshot" : " or has been forgotten");
        hf_error_suggest(error, "find the element again and use its new reference");
    }
    return found != NULL;
}

void hf_reference_clear(HfReference *reference)
{
    g_clear_pointer(&reference->tree, hf_tree_unref);
}

void hf_references_trim(HfReferences *references)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&references->lock);
    drop_old_snapshots(references);
}

void hf_references_age(HfReferences *references, gint64 milliseconds)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&references->lock);
    references->aged += milliseconds;
}
