/* SPDX-License-Identifier: Apache-2.0 */
/* Each call costs one stat of the owner's rules; the file is read when it has changed. The lists of
 * config.json become rules with ids of their own, so that the audit can name them. */
#include "desk/guard/policy/live-rules.h"

#include <sys/stat.h>

typedef struct Stamp {
    struct timespec changed;
    ino_t inode;
    off_t size;
} Stamp;

struct HfLiveRules {
    GMutex lock; /* guards the rest */
    char *path;
    Stamp stamp;
    char *config_hash;
    HfRules *rules;
    char *fence;
};

static Stamp stamp_rules_file(const char *path)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return (Stamp){0};
    return (Stamp){facts.st_mtim, facts.st_ino, facts.st_size};
}

static gboolean is_same_stamp(const Stamp *a, const Stamp *b)
{
    return a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec &&
           a->inode == b->inode && a->size == b->size;
}

static void add_config_rule(json_t *rules, const char *id, const char *looks_at, const char *risk,
                            const char *member, json_t *take_list, const char *message,
                            const char *chinese)
{
    if (json_array_size(take_list) == 0) {
        json_decref(take_list);
        return;
    }
    json_array_append_new(rules, json_pack("{s:s, s:s, s:s, s:{s:o}, s:{s:s, s:s}}", "id", id,
                                           "looks_at", looks_at, "risk", risk, "when", member,
                                           take_list, "message", "en", message, "zh", chinese));
}

static json_t *config_patterns(HfConfig *config, const char *path, const char *around)
{
    json_t *list = json_array();
    hf_json_each (value, hf_config_get(config, path)) {
        g_autofree char *text = g_strconcat(around, json_string_value(value), around, NULL);
        if (*json_string_value(value))
            json_array_append_new(list, json_string(text));
    }
    return list;
}

static json_t *rules_of_config(HfConfig *config)
{
    json_t *rules = json_array();
    add_config_rule(rules, "config.blocked-apps", "app", "block", "apps",
                    config_patterns(config, "security.blocked_apps", ""),
                    "The owner has blocked this application", "所有者已禁止此应用");
    add_config_rule(rules, "config.blocked-titles", "app", "block", "titles",
                    config_patterns(config, "security.blocked_titles", "*"),
                    "The owner has blocked this window", "所有者已禁止此窗口");
    add_config_rule(rules, "config.blocked-domains", "url", "block", "domains",
                    config_patterns(config, "security.blocked_domains", ""),
                    "The owner has blocked this site", "所有者已禁止此网站");
    add_config_rule(rules, "config.dangerous-keys", "keys", "critical", "keys",
                    config_patterns(config, "security.extra_dangerous_keys", ""),
                    "The owner has marked these keys as dangerous", "所有者已将这些按键列为危险");
    return rules;
}

/* With the lock held. */
static gboolean read_rules(HfLiveRules *live, HfConfig *config, GError **error)
{
    g_autoptr(json_t) more = rules_of_config(config);
    HfRules *rules = hf_rules_load(live->path, more, error);
    if (!rules)
        return FALSE;
    g_autoptr(json_t) fence = hf_rules_fence(rules);
    hf_rules_unref(live->rules);
    g_free(live->fence);
    live->rules = rules;
    live->fence = json_array_size(fence) > 0 ? hf_json_dump(fence) : NULL;
    return TRUE;
}

HfLiveRules *hf_live_rules_new(HfConfig *config, GError **error)
{
    HfLiveRules *live = g_new0(HfLiveRules, 1);
    g_mutex_init(&live->lock);
    live->path = hf_rules_dup_path();
    live->stamp = stamp_rules_file(live->path);
    live->config_hash = g_strdup(hf_config_get_hash(config));
    if (read_rules(live, config, error))
        return live;
    hf_live_rules_free(live);
    return NULL;
}

void hf_live_rules_free(HfLiveRules *live)
{
    if (!live)
        return;
    g_mutex_clear(&live->lock);
    hf_rules_unref(live->rules);
    g_free(live->path);
    g_free(live->config_hash);
    g_free(live->fence);
    g_free(live);
}

HfRules *hf_live_rules_get(HfLiveRules *live, HfConfig *config, GError **ret_problem)
{
    Stamp stamp = stamp_rules_file(live->path);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->lock);
    if (!is_same_stamp(&stamp, &live->stamp) ||
        g_strcmp0(live->config_hash, hf_config_get_hash(config)) != 0) {
        live->stamp = stamp;
        g_free(live->config_hash);
        live->config_hash = g_strdup(hf_config_get_hash(config));
        read_rules(live, config, ret_problem);
    }
    return hf_rules_ref(live->rules);
}

char *hf_live_rules_dup_fence(HfLiveRules *live)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&live->lock);
    return g_strdup(live->fence);
}
