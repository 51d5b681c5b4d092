/* Ticking what is painted: a box or circle whose program tells nothing of it is clicked, and its
 * picture says whether that has helped. */
#pragma once

#include "access/act.h"

/* Whether this is such a deed: to toggle, check or uncheck a painted box or circle. */
gboolean hf_tick_takes(const HfDeed *deed);
/* As hf_act. */
gboolean hf_tick_do(HfDeed *deed, GError **error);
