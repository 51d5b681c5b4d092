/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what is on the disk: the configuration, the directories and their permissions, the store
 * and its audit, free space. The real store is only read. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "desk/records/audit/audit-database.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/paths.h"

#define LEAST_BYTES  (100 * (gint64)1024 * 1024)
#define ENOUGH_BYTES (1024 * (gint64)1024 * 1024)
/* How many of the last rows are read; a longer audit is left to `handfast audit verify`. */
#define LAST_ROWS   1000
#define VERIFY_ROWS 50000

static char *dup_data(const char *name)
{
    return g_build_filename(g_get_user_data_dir(), "handfast", name, NULL);
}

static void check_config(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = hf_path_dup_config(), *policy = hf_path_dup_policy();
    g_autoptr(HfConfig) config = hf_config_load(file, policy, &error);
    gboolean exists = g_file_test(file, G_FILE_TEST_EXISTS);
    const json_t *held = json_object_get(json_object_get(doctor->status, "config"), "held");
    if (config && json_array_size(held) > 0) {
        hf_finding_set(finding, HF_HEALTH_WARN,
                       _("a change of %s would allow more and waits for you"), file);
        hf_finding_repair(finding, "handfast config accept");
        return;
    }
    if (config) {
        hf_finding_set(finding, HF_HEALTH_OK,
                       exists ? _("%s is valid") : _("%s does not exist; the defaults apply"),
                       file);
        return;
    }
    hf_finding_set(finding, HF_HEALTH_FAIL, "%s", error->message);
    hf_finding_repair(finding, "handfast config check");
}

/* The nearest existing directory above. */
static char *dup_existing(const char *path)
{
    g_autofree char *at = g_strdup(path);
    while (!g_file_test(at, G_FILE_TEST_IS_DIR)) {
        char *above = g_path_get_dirname(at);
        g_free(at);
        at = above;
    }
    return g_steal_pointer(&at);
}

/* By writing: permissions do not reveal a read-only file system. */
static gboolean can_write(const char *folder)
{
    g_autofree char *name = g_build_filename(folder, ".handfast-doctor-XXXXXX", NULL);
    int fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return FALSE;
    gboolean wrote = write(fd, "x", 1) == 1;
    close(fd);
    unlink(name);
    return wrote;
}

static void check_folders(HfDoctor *doctor, HfFinding *finding)
{
    g_autofree char *data = dup_data(NULL), *config = hf_path_dup_config(),
                    *settings = g_path_get_dirname(config), *runtime = hf_path_dup_runtime();
    const char *const folders[] = {data, settings, runtime};
    hf_finding_set(finding, HF_HEALTH_OK, _("%s and the other directories are writable"), data);
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *existing = dup_existing(folders[i]);
        if (can_write(existing))
            continue;
        hf_finding_set(finding, HF_HEALTH_FAIL, _("cannot write in %s: %s"), existing,
                       g_strerror(errno));
        hf_finding_repair(finding, "sudo chown -R %s %s && chmod -R u+rwX %s", g_get_user_name(),
                          existing, existing);
        return;
    }
}

/* FALSE after a finding: others could read or write it. */
static gboolean is_private(const char *path, mode_t mode, HfFinding *finding)
{
    struct stat info;
    if (lstat(path, &info) < 0 || (info.st_uid == geteuid() && (info.st_mode & 0777 & ~mode) == 0))
        return TRUE;
    hf_finding_set(finding, HF_HEALTH_FAIL, _("%s is open to others (owner %u, mode %03o)"), path,
                   (unsigned)info.st_uid, (unsigned)info.st_mode & 0777);
    hf_finding_repair(finding, "chmod %03o %s", (unsigned)mode, path);
    return FALSE;
}

static void check_permissions(HfDoctor *doctor, HfFinding *finding)
{
    g_autofree char *data = dup_data(NULL), *store = dup_data("handfast.db"),
                    *key = dup_data("audit-key"), *config = hf_path_dup_config(),
                    *runtime = hf_path_dup_runtime(), *bridge = hf_path_dup_bridge();
    const struct {
        const char *path;
        mode_t mode;
    } private[] = {{runtime, 0700}, {data, 0700},   {store, 0600},
                   {key, 0600},     {config, 0600}, {bridge, 0600}};
    hf_finding_set(finding, HF_HEALTH_OK, "%s",
                   _("only the owner can read the files and directories"));
    for (gsize i = 0; i < G_N_ELEMENTS(private); i++)
        if (!is_private(private[i].path, private[i].mode, finding))
            return;
}

static void check_disk(HfDoctor *doctor, HfFinding *finding)
{
    g_autofree char *data = dup_data(NULL), *existing = dup_existing(data);
    struct statvfs info;
    if (statvfs(existing, &info) < 0) {
        hf_finding_set(finding, HF_HEALTH_FAIL, "%s: %s", existing, g_strerror(errno));
        return;
    }
    gint64 left = (gint64)info.f_bavail * (gint64)info.f_frsize;
    g_autofree char *text = g_format_size((guint64)left);
    hf_finding_set(finding,
                   left < LEAST_BYTES    ? HF_HEALTH_FAIL
                   : left < ENOUGH_BYTES ? HF_HEALTH_WARN
                                         : HF_HEALTH_OK,
                   _("%s free at %s"), text, existing);
    if (left < ENOUGH_BYTES)
        hf_finding_repair(finding, "du -xsh %s/* | sort -h", existing);
}

static gboolean count_row(const HfAuditRow *row, gpointer data, GError **error)
{
    gint64 *counts = data; /* rows, the last one's time and number */
    g_autoptr(json_t) body = json_loadb(row->body, row->length, 0, NULL);
    if (!json_is_object(body))
        return hf_audit_fail_broken(error, row->seq, "its body is not a JSON object");
    counts[0]++;
    counts[1] = hf_json_int(body, "time", 0);
    counts[2] = row->seq;
    return TRUE;
}

static gboolean count_audit_rows(const char *path, gint64 *ret_counts, GError **error)
{
    HfAuditFilter filter = {.limit = LAST_ROWS};
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(path, error);
    return database && hf_audit_database_list(database, &filter, count_row, ret_counts, error);
}

/* Only reads the owner's store; whether one can be written is tried with the test desk. */
static void check_store(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = dup_data("handfast.db");
    gint64 counts[3] = {0};
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        hf_finding_set(finding, HF_HEALTH_OK, _("%s does not exist yet"), path);
    else if (count_audit_rows(path, counts, &error))
        hf_finding_set(finding, HF_HEALTH_OK, _("%s: the last %d rows are readable"), path,
                       (int)counts[0]);
    else {
        hf_finding_set(finding, HF_HEALTH_FAIL, "%s: %s", path, error->message);
        hf_finding_repair(finding, "handfast stop; cp -a %s %s.broken; sqlite3 %s .recover", path,
                          path, path);
    }
}

static gboolean verify_audit(const char *path, const char *key_path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *heads = g_build_filename(folder, "audit-heads.jsonl", NULL);
    g_autoptr(HfAuditKey) key = hf_audit_key_load_public(key_path, error);
    g_autoptr(HfAuditDatabase) database = key ? hf_audit_database_open(path, error) : NULL;
    if (!database)
        return FALSE;
    g_autoptr(HfAuditVerifier) verifier = hf_audit_verifier_new(key);
    return hf_audit_database_verify(database, verifier, heads, error);
}

static void check_audit(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = dup_data("handfast.db"), *key = dup_data("audit-key.pub");
    gint64 counts[3] = {0};
    gboolean exists = g_file_test(path, G_FILE_TEST_EXISTS);
    if (exists && count_audit_rows(path, counts, NULL) && counts[2] > VERIFY_ROWS) {
        hf_finding_set(finding, HF_HEALTH_OK,
                       _("%d rows; to verify all of them: handfast audit verify"), (int)counts[2]);
    } else if (!exists) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s", _("the audit is still empty"));
    } else if (verify_audit(path, key, &error)) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s", _("the audit is intact and signed"));
    } else {
        hf_finding_set(finding, HF_HEALTH_FAIL, "%s", error->message);
        hf_finding_repair(finding, "handfast audit verify");
    }
}

/* The whole path of a row: the test desk writes it, and its chain and signature are verified. */
static void check_writing(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) params = json_pack("{s:i}", "duration", 0);
    g_autoptr(json_t) result =
        hf_test_desk_call(doctor->probe, "wait", json_incref(params), &error);
    g_autofree char *path = hf_test_desk_dup_data(doctor->probe, "handfast.db"),
                    *key = hf_test_desk_dup_data(doctor->probe, "audit-key.pub");
    gint64 counts[3] = {0};
    if (result && count_audit_rows(path, counts, &error) && verify_audit(path, key, &error)) {
        hf_finding_set(finding, HF_HEALTH_OK, _("a test desk wrote %d rows, all intact"),
                       (int)counts[0]);
        return;
    }
    hf_finding_set(finding, HF_HEALTH_FAIL, "%s", error->message);
    hf_finding_repair(finding, "handfast serve --virtual");
}

/* Times in the audit are only as good as the clock. */
static void check_clock(HfDoctor *doctor, HfFinding *finding)
{
    g_autofree char *path = dup_data("handfast.db");
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    gint64 counts[3] = {0}, ticks = g_get_monotonic_time();
    gint64 now_ms = g_get_real_time() / 1000;
    g_autofree char *text = g_date_time_format(now, "%F %T %Z");
    gboolean steady = g_get_monotonic_time() >= ticks;
    count_audit_rows(path, counts, NULL);
    if (!steady || g_date_time_get_year(now) < 2025 || g_date_time_get_year(now) > 2100)
        hf_finding_set(finding, HF_HEALTH_FAIL, _("the clock says %s"), text);
    else if (counts[1] > now_ms + 60000)
        hf_finding_set(finding, HF_HEALTH_WARN,
                       _("the clock says %s, but the audit has a later row"), text);
    else
        hf_finding_set(finding, HF_HEALTH_OK, "%s", text);
    if (finding->health != HF_HEALTH_OK)
        hf_finding_repair(finding, "sudo timedatectl set-ntp true");
}

const HfCheck hf_doctor_file_checks[] = {
    {"config", check_config}, {"folders", check_folders},     {"permissions", check_permissions},
    {"disk", check_disk},     {"clock", check_clock},         {"store", check_store},
    {"audit", check_audit},   {"store-write", check_writing}, {0},
};
