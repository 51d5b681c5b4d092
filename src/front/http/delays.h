/* Wrong tokens: each one of an address makes the next answer to it later. Whoever shows a good
 * token is never made to wait. Main thread only. */
#pragma once

#include <glib.h>

typedef struct HfHttpDelays HfHttpDelays;

HfHttpDelays *hf_http_delays_new(void);
void hf_http_delays_free(HfHttpDelays *delays);

/* How long to wait before this one is told, in ms; `ret_count` says how many there were of late. */
guint hf_http_delays_add(HfHttpDelays *delays, const char *address, gint64 now_us,
                         guint *ret_count);
