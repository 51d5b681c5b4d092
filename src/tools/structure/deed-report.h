/* What came of an act, as tools tell it. */
#pragma once

#include "access/act.h"
#include "tool/call.h"
#include "tool/result.h"

extern const HfParam hf_deed_result[];

/* Does it, and tells. NULL when it failed; details then say how the element is. */
HfResult *hf_deed_run(HfDeed *deed, GError **error);
