/* Actions that were prepared and not yet done. A token stands for exactly one call, can be used
 * once, and only for a while; it does not outlive the desk. */
#pragma once

#include <glib.h>

typedef struct HfPrepared HfPrepared;

HfPrepared *hf_prepared_new(void);
void hf_prepared_free(HfPrepared *prepared);

/* A token for the call with this hash. When there are too many, the oldest ends. Owned. */
char *hf_prepared_add(HfPrepared *prepared, const char *hash, gint64 now_us);
/* Uses the token up. DESKTOP_CONFIRM_REQUIRED when there is none such (any more), or it stands for
 * another call: then it is used up as well. */
gboolean hf_prepared_use(HfPrepared *prepared, const char *token, const char *hash, gint64 now_us,
                         GError **error);
