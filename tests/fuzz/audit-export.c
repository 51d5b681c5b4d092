/* SPDX-License-Identifier: Apache-2.0 */
/* Exports come from strangers: whatever is in one, reading it ends, in an answer. */
#include <stdio.h>

#include "desk/records/audit/audit-export.h"

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
    if (size == 0)
        return 0;
    g_autoptr(HfAuditKey) key = hf_audit_key_load_public(
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", NULL);
    g_autoptr(HfAuditVerifier) verifier = hf_audit_verifier_new(key);
    g_autoptr(GError) error = NULL;
    FILE *file = fmemopen((void *)data, size, "r");
    gboolean whole = hf_audit_export_verify(file, verifier, &error);
    fclose(file);
    g_assert(whole == (error == NULL));
    return 0;
}
