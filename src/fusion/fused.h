/* All that can be seen of a part of the desktop, whatever it is known from, in one tree: what
 * programs tell of their elements, and what only its picture shows. One thing is one node, with all
 * its sources. */
#pragma once

#include "access/access.h"

typedef struct HfFusedScope {
    HfAccessScope access;
} HfFusedScope;

/* As hf_access_read, but a desktop without an accessibility bus is no error. */
HfTree *hf_fused_read(HfDesktop *desktop, const HfFusedScope *scope, const HfDeadline *deadline,
                      GError **error);
