/* SPDX-License-Identifier: Apache-2.0 */
/* When a model is asked. It costs money and seconds, and it sees what the screen shows: never
 * without need, and never without the owner's agreement, which is a model's configuration. */
#include "hand/locate/adviser.h"

const HfAdviser *hf_adviser_find(void)
{
    return NULL;
}

gboolean hf_adviser_is_needed(const HfAdviser *adviser, gboolean clear, const char **ret_why)
{
    if (clear)
        *ret_why = "the elements on the screen give a clear answer";
    else if (!adviser)
        *ret_why = "no vision model is configured";
    else
        *ret_why = NULL;
    return !clear && adviser;
}
