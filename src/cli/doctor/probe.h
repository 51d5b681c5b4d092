/* A desk of the doctor's own: the real program with directories of its own and a virtual desktop,
 * so that the whole path is tried and nothing of the user's is touched. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfProbe HfProbe;

HfProbe *hf_probe_new(void);
/* Ends the desk, if it was started, and removes its directories. */
void hf_probe_free(HfProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfProbe, hf_probe_free)

/* Starts it when that has not been tried; what it said when it could not start. */
gboolean hf_probe_ensure(HfProbe *probe, GError **error);
/* The result of a tool there, owned. */
json_t *hf_probe_call(HfProbe *probe, const char *tool, json_t *take_params, GError **error);
/* A variable of the desktop's environment, borrowed: DISPLAY, XAUTHORITY. NULL: it has none. */
const char *hf_probe_variable(HfProbe *probe, const char *name);
/* The database that it writes, and its public key. */
char *hf_probe_dup_data(HfProbe *probe, const char *name);
