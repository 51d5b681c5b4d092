/* SPDX-License-Identifier: Apache-2.0 */
/* The reply to Cache.GetItems, which lists all objects of a program, in both of its forms: with the
 * number of children, or with the children themselves (Qt). Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef struct HfCacheItem {
    const char *bus, *path, *parent; /* borrowed from the reply */
    const char *name, *description;
    int index;       /* among its siblings; -1: not reported */
    int child_count; /* -1: not reported */
    int role;
    guint64 states;
    HfAbility abilities;
    int first_child, next_sibling; /* indices in the list, in order; HF_NODE_NONE */
} HfCacheItem;

typedef struct HfCacheItems HfCacheItems;

/* `answer` is (say) from hf_dbus_reply_dup_bytes. NULL when it has neither form. */
HfCacheItems *hf_cache_items_new(GVariant *answer);
void hf_cache_items_free(HfCacheItems *items);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCacheItems, hf_cache_items_free)

int hf_cache_items_size(const HfCacheItems *items);
const HfCacheItem *hf_cache_items_get(const HfCacheItems *items, int index);
int hf_cache_items_find(const HfCacheItems *items, const char *path);

/* The reply to GetInterfaces as bits. */
HfAbility hf_abilities_from_variant(GVariant *interfaces);
/* The reply to GetState: two words of 32 bits. */
guint64 hf_states_from_variant(GVariant *words);
