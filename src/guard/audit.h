/* The audit trail: one line of JSON before an action and one after it, in a file that only grows
 * and that only the owner can read. What a person typed or copied never gets in. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfAudit HfAudit;

HfAudit *hf_audit_open(const char *path, GError **error);
void hf_audit_close(HfAudit *audit);
/* STORAGE_FAILED when the line cannot be written whole. */
gboolean hf_audit_write(HfAudit *audit, const json_t *line, GError **error);
