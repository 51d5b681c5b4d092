/* SPDX-License-Identifier: Apache-2.0 */
/* A private desktop is contained unless the owner's configuration or this system is against it.
 * Then it starts all the same, and its description says why. */
#include "desk/desktops/seat-walls.h"

#include <errno.h>
#include <unistd.h>

#include "desk/desktops/adopted-processes.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/process/container-check.h"

/* What outlives a private desktop, for the next one of that name. */
static char *dup_desktop_data(const char *name, const char *what)
{
    g_autofree char *data = hf_path_ensure_data(NULL);
    return data ? g_build_filename(data, "desktops", name, what, NULL) : NULL;
}

/* A contained desktop has its own place: the copies of another one's files are none of its
 * business. */
char *hf_seat_ensure_files_dir(const char *name, gboolean contained)
{
    g_autofree char *data = hf_path_ensure_data(NULL);
    g_autofree char *files = contained ? dup_desktop_data(name, "files")
                             : data    ? g_build_filename(data, "files", NULL)
                                       : NULL;
    return files && g_mkdir_with_parents(files, 0700) == 0 && hf_path_ensure_private(files, NULL)
               ? g_steal_pointer(&files)
               : NULL;
}

/* The seat does not need the stage's events, but must read them. */
static void ignore_event(HfStageLink *stage, const HfStageEvent *event, gpointer data)
{
}

/* The home of a desktop of this name outlives it. */
static char *ensure_own_home(const char *name, GError **error)
{
    g_autofree char *home = dup_desktop_data(name, "home");
    if (home && g_mkdir_with_parents(home, 0700) == 0)
        return g_steal_pointer(&home);
    hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create the home of desktop '%s': %s", name,
            g_strerror(errno));
    return NULL;
}

/* With the user's home or this machine's own network, too much is left open. */
static gboolean has_whole_walls(const json_t *settings)
{
    return g_str_equal(hf_json_string(settings, "home", ""), "own") &&
           !g_str_equal(hf_json_string(settings, "network", "host"), "host");
}

/* Without one the desktop works all the same; its description names none. */
static char *ensure_exchange(const char *name, const json_t *settings)
{
    g_autofree char *exchange = hf_path_dup_exchange(name);
    return has_whole_walls(settings) && g_mkdir_with_parents(exchange, 0700) == 0
               ? g_steal_pointer(&exchange)
               : NULL;
}

void hf_seat_remove_empty_exchange(const char *name)
{
    g_autofree char *exchange = hf_path_dup_exchange(name);
    g_autofree char *all = g_path_get_dirname(exchange);
    if (rmdir(exchange) == 0)
        rmdir(all);
}

static json_t *list_writable(const json_t *settings, const char *exchange)
{
    json_t *writable = json_copy(json_object_get(settings, "writable"));
    if (exchange)
        json_array_append_new(writable, hf_json_text(exchange));
    return writable;
}

static gboolean is_network(const HfSeatOptions *options, const char *network)
{
    return g_str_equal(hf_json_string(options->container, "network", ""), network);
}

static HfStageLink *start_contained(const HfSeatOptions *options, const HfStageOptions *wanted,
                                    const char *state_dir, const HfDeadline *deadline,
                                    GError **error)
{
    const json_t *settings = options->container;
    gboolean own = g_str_equal(hf_json_string(settings, "home", "own"), "own");
    g_autofree char *home = own ? ensure_own_home(options->name, error) : NULL;
    g_autofree char *exchange = ensure_exchange(options->name, settings);
    g_autoptr(json_t) writable = list_writable(settings, exchange);
    const char *kept[] = {state_dir, NULL};
    HfContainer container = {.home = home,
                             .network = hf_json_string(settings, "network", "none"),
                             .writable = writable,
                             .readable = json_object_get(settings, "readable"),
                             .hidden = json_object_get(settings, "hidden"),
                             .variables = json_object_get(settings, "variables"),
                             .kept = kept};
    return own && !home ? NULL : hf_stage_start(NULL, wanted, &container, deadline, error);
}

static HfStageLink *start_stage(const HfSeatOptions *options, const char *state_dir,
                                gboolean contained, const HfDeadline *deadline, GError **error)
{
    g_autofree char *runtime = hf_path_dup_runtime();
    HfStageOptions wanted = {
        .kind = options->display ? HF_STAGE_ATTACHED : HF_STAGE_VIRTUAL,
        .name = options->name,
        .runtime_dir = runtime,
        .display = options->display,
        .namespace = hf_json_bool(options->container, "own_desktop", FALSE),
        .width = options->size.width,
        .height = options->size.height,
        .scale = options->scale,
        .depth = options->depth,
        .own_home = options->private_home,
        .proxy = contained && is_network(options, "policy"),
    };
    HfStageLink *stage = contained ? start_contained(options, &wanted, state_dir, deadline, error)
                                   : hf_stage_start(NULL, &wanted, NULL, deadline, error);
    if (stage)
        hf_stage_watch(stage, NULL, ignore_event, NULL);
    return stage;
}

/* The desktop can be used without; the description says why there is none. */
static HfProxyLink *start_proxy(const HfSeatOptions *options, HfStageLink *stage, GError **error)
{
    int listener = stage ? hf_stage_steal_listener(stage) : -1;
    return listener >= 0
               ? hf_proxy_link_start(listener, json_object_get(options->settings, "domains"), error)
               : NULL;
}

static json_t *describe_walls(const HfSeatOptions *options, const GError *obstacle,
                              const HfStageLink *stage, const GError *no_proxy)
{
    const json_t *settings = options->container;
    if (obstacle) {
        g_autoptr(json_t) wire = hf_error_to_json(obstacle);
        return json_pack("{s:b, s:b, s:o, s:o}", "contained", 0, "missing",
                         hf_json_bool(settings, "enabled", FALSE), "reason",
                         hf_json_text(obstacle->message), "suggestion",
                         hf_json_text(hf_json_string(wire, "suggestion", "")));
    }
    json_t *walls = json_pack(
        "{s:b, s:O, s:O, s:O, s:O}", "contained", 1, "home", json_object_get(settings, "home"),
        "network", json_object_get(settings, "network"), "writable",
        json_object_get(settings, "writable"), "readable", json_object_get(settings, "readable"));
    if (g_str_equal(hf_json_string(settings, "home", ""), "own")) {
        g_autofree char *home = dup_desktop_data(options->name, "home");
        json_object_set_new(walls, "home_directory", hf_json_text(home ? home : ""));
    }
    g_autofree char *exchange = hf_path_dup_exchange(options->name);
    if (has_whole_walls(settings) && g_file_test(exchange, G_FILE_TEST_IS_DIR))
        json_object_set_new(walls, "exchange", hf_json_text(exchange));
    const char *problem = no_proxy ? no_proxy->message : hf_stage_get_network_problem(stage);
    if (problem)
        json_object_set_new(walls, "network_problem", hf_json_text(problem));
    return walls;
}

/* Why a private desktop has no container; NULL: it has one. */
static GError *find_obstacle(const HfSeatOptions *options)
{
    GError *obstacle = NULL;
    if (!hf_json_bool(options->container, "enabled", FALSE)) {
        hf_fail(&obstacle, HF_ERROR_UNSUPPORTED, "containers are turned off (container.enabled)");
        hf_error_suggest(&obstacle, "turn them on: handfast config set container.enabled true");
    } else if (g_str_equal(g_get_home_dir(), "/")) {
        hf_fail(&obstacle, HF_ERROR_UNSUPPORTED, "HOME is '/', which a container cannot replace");
        hf_error_suggest(&obstacle, "start the desk with HOME set to a directory of its own");
    } else {
        hf_adopted_processes_lock();
        hf_container_check(&obstacle);
        hf_adopted_processes_unlock(0);
    }
    return obstacle;
}

HfStageLink *hf_seat_start_stage(const HfSeatOptions *options, const char *state_dir,
                                 HfProxyLink **ret_proxy, json_t **ret_walls,
                                 const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) no_proxy = NULL;
    gboolean private = options->display == NULL;
    g_autoptr(GError) obstacle = private ? find_obstacle(options) : NULL;
    HfStageLink *stage = start_stage(options, state_dir, private && !obstacle, deadline, error);
    *ret_proxy = start_proxy(options, stage, &no_proxy);
    *ret_walls = stage && private ? describe_walls(options, obstacle, stage, no_proxy) : NULL;
    return stage;
}

HfWalls hf_seat_judge_walls(const json_t *walls)
{
    if (hf_json_bool(walls, "missing", FALSE))
        return HF_WALLS_MISSING;
    return hf_json_bool(walls, "contained", FALSE) && has_whole_walls(walls) ? HF_WALLS_HOLD
                                                                             : HF_WALLS_NONE;
}
