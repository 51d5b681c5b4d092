/* SPDX-License-Identifier: Apache-2.0 */
/* A purse for each program that fills again with time. Whoever empties its own is refused for a
 * moment; nobody else is. There are as many purses as an X server takes clients; should there be
 * more, the one that was used longest ago is given to the newcomer. */
#include "hand/x11/selection/selection-budget.h"

#include "hand/x11/x11-limits.h"

#define CLIENTS 256u

typedef struct Purse {
    guint32 client;
    guint left;
    gint64 used_us; /* 0: nobody's */
} Purse;

struct HfSelectionBudget {
    Purse purses[CLIENTS];
};

HfSelectionBudget *hf_selection_budget_new(void)
{
    return g_new0(HfSelectionBudget, 1);
}

void hf_selection_budget_free(HfSelectionBudget *budget)
{
    g_free(budget);
}

static Purse *find_purse(HfSelectionBudget *budget, guint32 client)
{
    Purse *oldest = &budget->purses[0];
    for (guint i = 0; i < CLIENTS; i++) {
        Purse *purse = &budget->purses[i];
        if (purse->used_us > 0 && purse->client == client)
            return purse;
        if (purse->used_us < oldest->used_us)
            oldest = purse;
    }
    *oldest = (Purse){.client = client};
    return oldest;
}

/* What came in since it was last used; whole units only, and the time of what is left over is kept.
 */
static void refill_client_budget(Purse *purse, gint64 now_us)
{
    gint64 per_unit_us = G_USEC_PER_SEC / HF_LIMIT_CLIPBOARD_ASK_RATE;
    gint64 earned = (now_us - purse->used_us) / per_unit_us;
    if (purse->used_us == 0 || earned >= HF_LIMIT_CLIPBOARD_ASK_BURST) {
        purse->left = HF_LIMIT_CLIPBOARD_ASK_BURST;
        purse->used_us = now_us;
    } else if (earned > 0) {
        purse->left = (guint)MIN(purse->left + earned, HF_LIMIT_CLIPBOARD_ASK_BURST);
        purse->used_us += earned * per_unit_us;
    }
}

gboolean hf_selection_budget_spend(HfSelectionBudget *budget, guint32 client, guint cost,
                                   gint64 now_us)
{
    Purse *purse = find_purse(budget, client);
    refill_client_budget(purse, now_us);
    if (purse->left < cost)
        return FALSE;
    purse->left -= cost;
    return TRUE;
}
