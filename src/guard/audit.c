/* Steps 9 and 11: written down before and after. A call that cannot be written down is refused. */
#include "guard/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "guard/passage.h"

struct HfAudit {
    int fd;
    GMutex lock;
};

HfAudit *hf_audit_open(const char *path, GError **error)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open the audit '%s': %s", path,
                g_strerror(errno));
        return NULL;
    }
    HfAudit *audit = g_new0(HfAudit, 1);
    audit->fd = fd;
    g_mutex_init(&audit->lock);
    return audit;
}

void hf_audit_close(HfAudit *audit)
{
    close(audit->fd);
    g_mutex_clear(&audit->lock);
    g_free(audit);
}

/* A line that went in only partly (a full disk) is taken out again, so that the file stays whole.
 */
static gboolean append_line(int fd, const char *text, gsize length, GError **error)
{
    off_t before = lseek(fd, 0, SEEK_END);
    ssize_t written = write(fd, text, length);
    if (written == (ssize_t)length)
        return TRUE;
    int reason = written < 0 ? errno : ENOSPC;
    if (written > 0 && ftruncate(fd, before) != 0)
        reason = errno;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "the audit cannot be written: %s",
                   g_strerror(reason));
}

gboolean hf_audit_write(HfAudit *audit, const json_t *line, GError **error)
{
    g_autofree char *dump = hf_json_dump(line);
    g_autofree char *text = g_strconcat(dump, "\n", NULL);
    g_mutex_lock(&audit->lock);
    flock(audit->fd, LOCK_EX); /* another desk may keep the same file */
    gboolean done = append_line(audit->fd, text, strlen(text), error);
    flock(audit->fd, LOCK_UN);
    g_mutex_unlock(&audit->lock);
    return done;
}

/* Parameters without what must not be kept: secrets become their length. */
static json_t *redact(const HfTool *tool, const json_t *params)
{
    json_t *kept = json_copy((json_t *)params);
    for (const HfParam *param = tool->params; param && param->name; param++) {
        json_t *value = json_object_get(kept, param->name);
        if (param->secret && json_is_string(value))
            json_object_set_new(kept, param->name,
                                json_pack("{s:I}", "bytes", (json_int_t)json_string_length(value)));
    }
    return kept;
}

static json_t *line_start(const HfPassage *passage, const char *event)
{
    const HfAnswer *answer = passage->answer;
    const HfCaller *caller = passage->request->caller;
    return json_pack(
        "{s:s, s:I, s:o, s:s, s:o, s:s, s:i, s:o}", "event", event, "ts",
        (json_int_t)(g_get_real_time() / 1000), "run_id", hf_json_text(answer->run_id), "step_id",
        answer->step_id, "tool", hf_json_text(passage->tool ? passage->tool->name : answer->tool),
        "door", caller->door, "pid", (int)caller->pid, "program", hf_json_text(caller->program));
}

gboolean hf_step_audit_before(HfPassage *passage, GError **error)
{
    g_autoptr(json_t) line = line_start(passage, "intent");
    json_object_set_new(line, "desktop", hf_json_text(passage->desktop));
    json_object_set_new(line, "risk", json_string(hf_risk_name(passage->risk)));
    json_object_set_new(line, "params", redact(passage->tool, passage->params));
    const char *project = hf_json_string(passage->request->params, "project", NULL);
    const char *reason = hf_json_string(passage->request->params, "reason", NULL);
    if (project)
        json_object_set_new(line, "project", hf_json_text(project));
    if (reason)
        json_object_set_new(line, "reason", hf_json_text(reason));
    return hf_audit_write(passage->guard->audit, line, error);
}

void hf_step_audit_after(HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    g_autoptr(json_t) line = line_start(passage, "outcome");
    json_object_set_new(line, "ok", json_boolean(!answer->error));
    if (answer->error) {
        json_object_set_new(line, "code",
                            json_string(hf_error_code_name(hf_error_code(answer->error))));
        json_object_set_new(line, "message", hf_json_text(answer->error->message));
    }
    json_object_set_new(line, "duration_ms",
                        json_real((double)(g_get_monotonic_time() - answer->started) / 1000));
    hf_audit_write(passage->guard->audit, line, NULL);
}

void hf_guard_note_refusal(HfGuard *guard, const char *door, const GError *reason)
{
    g_autoptr(json_t) line = json_pack("{s:s, s:I, s:s, s:o}", "event", "refused", "ts",
                                       (json_int_t)(g_get_real_time() / 1000), "door", door,
                                       "error", hf_error_to_json(reason));
    hf_audit_write(guard->audit, line, NULL);
}
