/* SPDX-License-Identifier: Apache-2.0 */
/* Reading lines. A last line without its end counts as one. */
#include "desk/records/audit/audit-lines.h"

#include <errno.h>

#include "shared/base/error.h"

gboolean hf_audit_read_line(FILE *file, GString *line, GError **error)
{
    int byte;
    g_string_truncate(line, 0);
    while ((byte = getc_unlocked(file)) != EOF && byte != '\n') {
        if (line->len >= HF_AUDIT_LINE_BYTES)
            return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a line has more than %u bytes",
                           HF_AUDIT_LINE_BYTES);
        g_string_append_c(line, (char)byte);
    }
    if (ferror(file))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read on: %s", g_strerror(errno));
    return byte == '\n' || line->len > 0;
}
