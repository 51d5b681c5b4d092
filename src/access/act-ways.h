/* The ways to do an act, for act.c. */
#pragma once

#include "access/act.h"

/* TRUE with `ret_done` FALSE when it cannot be done in this way. */
typedef gboolean (*HfWayTo)(HfDeed *deed, gboolean *ret_done, GError **error);
typedef gboolean (*HfIsDone)(HfDeed *deed, gboolean *ret_holds, GError **error);

typedef struct HfWays {
    HfIsDone is_done; /* NULL: nothing that could be looked at */
    HfWayTo by_order, by_hand;
    const char *seen; /* what was seen when it is done */
} HfWays;

/* By what the element is and the value says. FALSE when it cannot be meant. */
gboolean hf_ways_to_set(HfDeed *deed, HfWays *ret_ways, GError **error);
gboolean hf_ways_to_select(HfDeed *deed, HfWays *ret_ways, GError **error);
extern const HfWays hf_ways_to_focus, hf_ways_to_scroll;

/* Shared: a click on it, noted in the deed. */
gboolean hf_way_click(HfDeed *deed, gboolean *ret_done, GError **error);
/* The window and then the element have the keyboard, by an order, else by a click. */
gboolean hf_way_focus(HfDeed *deed, gboolean *ret_done, GError **error);
gboolean hf_deed_fail(const HfDeed *deed, int code, const char *what, GError **error);
