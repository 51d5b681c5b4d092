/* The answer to "give me all your objects" (Cache.GetItems), in both of its forms: with the number
 * of children, or with the children themselves (Qt). Pure. */
#pragma once

#include "access/tree.h"

typedef struct HfItem {
    const char *bus, *path, *parent; /* borrowed from the answer */
    const char *name, *description;
    int index;       /* among its siblings; -1: it does not say */
    int child_count; /* -1: it does not say */
    int role;
    guint64 states;
    HfAbility abilities;
    int first_child, next_sibling; /* of the list, in order; HF_NODE_NONE */
} HfItem;

typedef struct HfItems HfItems;

/* `answer` is (say), as it came (hf_wire_dup_bytes). NULL when it has neither form. */
HfItems *hf_items_new(GVariant *answer);
void hf_items_free(HfItems *items);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfItems, hf_items_free)

int hf_items_size(const HfItems *items);
const HfItem *hf_items_get(const HfItems *items, int index);
int hf_items_find(const HfItems *items, const char *path);

/* What `GetInterfaces` says, as bits. */
HfAbility hf_abilities_from_variant(GVariant *interfaces);
/* What `GetState` says: two words of 32 bits. */
guint64 hf_states_from_variant(GVariant *words);
