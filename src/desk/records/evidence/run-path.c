/* SPDX-License-Identifier: Apache-2.0 */
/* Maps run ids to directory names. */
#include "desk/records/evidence/run-path.h"

#include <string.h>

#include "shared/base/paths.h"

#define PLAIN    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
#define MARK_HEX 12
#define KEEP     40 /* bytes kept of an id that is not plain */

char *hf_runs_dup_root(void)
{
    return g_build_filename(g_get_user_data_dir(), "handfast", "runs", NULL);
}

/* An id that looks as if it had a hash gets one too: else it could be made to equal another's name.
 */
static gboolean ends_like_mark(const char *run_id, gsize length)
{
    return length > MARK_HEX && run_id[length - MARK_HEX - 1] == '-' &&
           strspn(run_id + length - MARK_HEX, "0123456789abcdef") == MARK_HEX;
}

char *hf_run_dup_name(const char *run_id)
{
    gsize length = strlen(run_id);
    if (length > 0 && length <= 64 && strspn(run_id, PLAIN) == length && run_id[0] != '.' &&
        run_id[0] != '-' && !ends_like_mark(run_id, length))
        return g_strdup(run_id);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, run_id, -1);
    g_autofree char *kept = g_strndup(run_id, MIN(length, KEEP));
    g_strcanon(kept, PLAIN, '_');
    gboolean plain = g_ascii_isalnum(kept[0]) || kept[0] == '_';
    return g_strdup_printf("%s%s-%.*s", plain ? "" : "_", kept, MARK_HEX, hash);
}

char *hf_run_dup_day(gint64 time_ms)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_ms / 1000);
    return g_date_time_format(time, "%Y-%m-%d");
}

gboolean hf_run_is_day(const char *name)
{
    if (strlen(name) != 10)
        return FALSE;
    for (int i = 0; i < 10; i++)
        if (i == 4 || i == 7 ? name[i] != '-' : !g_ascii_isdigit(name[i]))
            return FALSE;
    return TRUE;
}
