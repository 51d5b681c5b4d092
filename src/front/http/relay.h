/* Work for the main thread from any other: answers to be written, connections to be looked after.
 * Done in the order in which it was given. */
#pragma once

#include <glib.h>

typedef struct HfRelay HfRelay;
typedef void (*HfRelayWork)(gpointer data);

/* On the main thread, for its default context. */
HfRelay *hf_relay_new(void);
/* Does what is still there first. */
void hf_relay_free(HfRelay *relay);

/* From any thread. */
void hf_relay_push(HfRelay *relay, HfRelayWork work, gpointer data);
