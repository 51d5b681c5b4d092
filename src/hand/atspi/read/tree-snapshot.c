/* SPDX-License-Identifier: Apache-2.0 */
/* One reading, in straight lines: who is there, which windows they have, which of those are wanted,
 * what is below them, and where it is on the screen. Whatever was not answered in time is left out,
 * and the tree says so; a program that answered nothing is set aside. */
#include "hand/atspi/read/tree-snapshot.h"

#include <string.h>

#include "hand/apps/process-info.h"
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/read/password-fields.h"
#include "hand/atspi/read/stacked-pages.h"
#include "hand/atspi/read/tree-cache.h"
#include "hand/atspi/read/window-transform.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* Objects in one that does not show, when it is not known how many. */
#define GUESSED_INSIDE 20u

/* What is asked of a program next, when all that was asked before is answered. Each goes on by
 * itself: one that is slow, or never answers, holds up no other. */
typedef enum Stage { STAGE_MEND, STAGE_BELOW, STAGE_VALUES, STAGE_DONE } Stage;

typedef struct Reading {
    const HfCallContext *context;
    HfDesktop *desktop; /* the context's */
    HfAtspi *access;
    HfTreeScope scope;
    HfDeadline deadline;
    HfCallBatch *batch;
    GPtrArray *windows; /* of HfWindow */
    GPtrArray *blocked; /* those of them that are not told of */
    double scale;
    int left;
    GPtrArray *readers; /* of HfTreeReader */
    GPtrArray *tops;    /* of GArray of HfTopWindow: one for each reader */
} Reading;

static int limit_to_most(int wanted, int most)
{
    return wanted > 0 ? MIN(wanted, most) : most;
}

static HfTreeScope complete_scope(const HfTreeScope *scope)
{
    HfTreeScope full = *scope;
    full.max_depth = limit_to_most(scope->max_depth, HF_LIMIT_TREE_DEPTH);
    full.max_nodes = limit_to_most(scope->max_nodes, HF_LIMIT_TREE_NODES);
    full.max_ms = limit_to_most(scope->max_ms, HF_LIMIT_TREE_MS);
    return full;
}

static void snapshot_reading_clear(Reading *reading)
{
    g_clear_pointer(&reading->batch, hf_call_batch_free);
    g_clear_pointer(&reading->blocked, g_ptr_array_unref);
    g_clear_pointer(&reading->windows, g_ptr_array_unref);
    g_clear_pointer(&reading->readers, g_ptr_array_unref);
    g_clear_pointer(&reading->tops, g_ptr_array_unref);
    g_clear_pointer(&reading->access, hf_atspi_release_later);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reading, snapshot_reading_clear)

/* ---- what the platform knows ---- */

/* Windows that whoever asks may not see: neither what is in them, nor what pops up from them. */
static void find_blocked(Reading *reading)
{
    reading->blocked = g_ptr_array_new();
    if (reading->scope.untold || !hf_fence_blocks_any(reading->context))
        return;
    for (guint i = 0; i < reading->windows->len; i++)
        if (hf_fence_blocks(reading->context, reading->windows->pdata[i]))
            g_ptr_array_add(reading->blocked, reading->windows->pdata[i]);
}

static gboolean look_at_platform(Reading *reading, const HfCallContext *context, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    reading->context = context;
    reading->desktop = desktop;
    reading->scale = reading->scope.scale;
    reading->windows = reading->scope.windows
                           ? g_ptr_array_ref(reading->scope.windows)
                           : hf_windows_list_scaled(desktop, &reading->scale, error);
    if (!reading->windows)
        return FALSE;
    find_blocked(reading);
    if (reading->scope.window == 0)
        return TRUE;
    const HfWindow *window = hf_windows_find(reading->windows, reading->scope.window);
    if (!window)
        return hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND,
                       "no window with the id %u; see window_list", reading->scope.window);
    if (hf_windows_find(reading->blocked, window->id) &&
        !hf_fence_check_window(context, window->id, error))
        return FALSE;
    reading->scope.pid = window->pid;
    return TRUE;
}

/* ---- which programs ---- */

static gboolean is_program_in_scope(const Reading *reading, const HfBusProgram *program)
{
    return reading->scope.pid == 0 || program->pid == 0 || program->pid == reading->scope.pid;
}

static GPtrArray *choose_programs(const Reading *reading)
{
    GPtrArray *all = hf_bus_programs_list(reading->access->programs), *chosen = g_ptr_array_new();
    for (guint i = 0; i < all->len; i++)
        if (is_program_in_scope(reading, all->pdata[i]))
            g_ptr_array_add(chosen, all->pdata[i]);
    return chosen;
}

static HfTreeReader *start_fresh_read(Reading *reading, HfBusProgram *program)
{
    HfTreeReader *reader = hf_tree_reader_new(program, reading->access->wire);
    hf_tree_reader_begin(reader, reading->batch, &reading->scope, &reading->left);
    reader->stage = STAGE_BELOW;
    if (program->set_aside || !program->traits) {
        reader->truncated |= HF_TRUNCATED_PROGRAM;
        return reader;
    }
    reader->followed = program->attended;
    if (reader->followed)
        hf_event_listener_follow(reading->access->hearing, program->bus);
    hf_tree_reader_read_windows(reader);
    return reader;
}

static HfTreeReader *begin_reader(Reading *reading, HfBusProgram *program)
{
    HfTreeReader *kept = g_steal_pointer(&program->kept);
    if (!kept || program->set_aside || !hf_tree_cache_fits(kept, &reading->scope)) {
        hf_tree_reader_free(kept);
        return start_fresh_read(reading, program);
    }
    hf_tree_reader_begin(kept, reading->batch, &reading->scope, &reading->left);
    kept->stage = STAGE_MEND;
    hf_tree_cache_begin(kept);
    return kept;
}

static void begin_readers(Reading *reading, const GPtrArray *programs)
{
    for (guint i = 0; i < programs->len; i++) {
        HfTreeReader *reader = begin_reader(reading, programs->pdata[i]);
        g_ptr_array_add(reading->readers, reader);
        g_ptr_array_add(reading->tops, g_array_new(FALSE, TRUE, sizeof(HfTopWindow)));
    }
}

/* What was kept is mended, or thrown away and read anew. */
static void update_or_reread(Reading *reading, guint i)
{
    HfTreeReader *reader = reading->readers->pdata[i];
    reader->stage = STAGE_BELOW;
    if (hf_tree_cache_update(reader))
        return;
    reading->left += hf_raw_nodes_size(reader->records);
    reading->readers->pdata[i] = start_fresh_read(reading, reader->program);
    hf_tree_reader_free(reader);
}

static gboolean is_pid_on_bus(const Reading *reading, int pid)
{
    const GPtrArray *programs = hf_bus_programs_list(reading->access->programs);
    for (guint i = 0; i < programs->len; i++)
        if (((HfBusProgram *)programs->pdata[i])->pid == pid)
            return TRUE;
    return FALSE;
}

/* A window in the scope whose program is not there. */
static gboolean misses_one(const Reading *reading)
{
    for (guint i = 0; i < reading->windows->len; i++) {
        const HfWindow *window = reading->windows->pdata[i];
        gboolean wanted = reading->scope.pid == 0 || reading->scope.pid == window->pid;
        if (wanted && window->pid > 0 && !is_pid_on_bus(reading, window->pid))
            return TRUE;
    }
    return FALSE;
}

/* Qt programs join a bus that has only just been started by our asking. Not waited for longer than
 * that takes: many programs never join. Where nobody has come or gone and no program is missing,
 * nobody is asked: that would be a way to two other processes and back. */
static gboolean refresh_programs(Reading *reading, GError **error)
{
    HfDeadline young = reading->deadline;
    hf_bus_programs_take_back(reading->access->programs);
    if (hf_bus_programs_are_fresh(reading->access->programs) && !misses_one(reading))
        return TRUE;
    young.at_us =
        MIN(young.at_us, reading->access->opened_us + HF_LIMIT_ACCESS_JOIN_MS * (gint64)1000);
    do {
        if (!hf_bus_programs_refresh(reading->access->programs, &reading->deadline, error))
            return FALSE;
    } while (misses_one(reading) &&
             hf_event_listener_wait_joined(reading->access->hearing, &young));
    return TRUE;
}

/* One look is not worth being told of all changes, and neither is what is gigantic. */
static gboolean is_looked_at_often(const HfBusProgram *program)
{
    gint64 since_us = g_get_monotonic_time() - program->looked_us;
    return program->looked_us && since_us < HF_LIMIT_REST_AFTER_MS * (gint64)1000;
}

static void follow_frequent_programs(Reading *reading, const GPtrArray *programs)
{
    g_autoptr(GPtrArray) often = g_ptr_array_new();
    for (guint i = 0; i < programs->len && !reading->scope.again; i++) {
        const HfBusProgram *program = programs->pdata[i];
        if (program->traits && program->traits->tells_changes && !program->attended &&
            !program->large && is_looked_at_often(program))
            g_ptr_array_add(often, programs->pdata[i]);
    }
    if (often->len > 0 && hf_atspi_listen(reading->access, &reading->deadline))
        hf_bus_programs_request_events(reading->access->programs, often, &reading->deadline);
}

/* Going through all of its objects for it (hf_bus_programs_want_direct_connection) must not take a
 * program long, and how many it has is not known before the first look; but little memory cannot
 * hold many. */
static gboolean is_small_program(const HfBusProgram *program)
{
    guint64 size = program->pid > 0 ? hf_process_private_kb(program->pid) : 0;
    return size > 0 && size < HF_LIMIT_ACCESS_SMALL_KB;
}

static void connect_new(Reading *reading, const GPtrArray *programs)
{
    HfDeadline soon = hf_deadline_within_ms(&reading->deadline, HF_LIMIT_ACCESS_CONNECT_MS);
    for (guint i = 0; i < programs->len; i++) {
        HfBusProgram *program = programs->pdata[i];
        if (program->traits && program->traits->bulk && !program->looked_us &&
            is_small_program(program))
            hf_bus_programs_want_direct_connection(reading->access->programs, program);
    }
    hf_bus_programs_connect(reading->access->programs, &soon);
}

static gboolean find_programs(Reading *reading, GError **error)
{
    if (!refresh_programs(reading, error))
        return FALSE;
    g_autoptr(GPtrArray) programs = choose_programs(reading), awake = g_ptr_array_new();
    for (guint i = 0; i < programs->len; i++)
        if (!((HfBusProgram *)programs->pdata[i])->set_aside)
            g_ptr_array_add(awake, programs->pdata[i]);
    hf_bus_programs_query_identity(reading->access->programs, awake, &reading->deadline);
    connect_new(reading, awake);
    follow_frequent_programs(reading, awake);
    begin_readers(reading, programs);
    return TRUE;
}

/* ---- which windows ---- */

static void place_tops(const Reading *reading, HfTreeReader *reader, GArray *tops)
{
    for (int i = 0; i < reader->tops; i++) {
        const HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        HfTopWindow top = {.name = record->name, .extents = record->extents};
        g_array_append_val(tops, top);
    }
    if (reader->program->traits)
        hf_transform_match_windows(reader->program->traits, reader->program->pid, reading->windows,
                                   reading->scale, (HfTopWindow *)(void *)tops->data, tops->len);
}

static gboolean is_top_blocked(const Reading *reading, int pid, const HfTopWindow *top)
{
    for (guint i = 0; i < reading->blocked->len; i++) {
        const HfWindow *window = reading->blocked->pdata[i];
        if (top->window ? window->id == top->window : window->pid == pid)
            return TRUE;
    }
    return FALSE;
}

/* What has no window of its own may be a menu or a list that has popped up; frames without one are
 * kept ready by some programs, and show nowhere. */
static gboolean wants_top(const Reading *reading, int pid, const HfRawNode *record,
                          const HfTopWindow *top)
{
    if (record->known & HF_KNOWN_HIDDEN || is_top_blocked(reading, pid, top))
        return FALSE;
    if (!top->window)
        return record->role != HF_ROLE_FRAME || reading->scope.include_hidden;
    return reading->scope.window == 0 || top->window == reading->scope.window;
}

static void choose_tops(const Reading *reading, guint i)
{
    HfTreeReader *reader = reading->readers->pdata[i];
    GArray *tops = reading->tops->pdata[i];
    place_tops(reading, reader, tops);
    for (guint k = 0; k < tops->len; k++) {
        HfTopWindow *top = &g_array_index(tops, HfTopWindow, k);
        top->wanted = wants_top(reading, reader->program->pid,
                                hf_raw_nodes_get(reader->records, (int)k), top);
    }
}

static void read_windows(const Reading *reading, guint i)
{
    HfTreeReader *reader = reading->readers->pdata[i];
    const GArray *tops = reading->tops->pdata[i];
    choose_tops(reading, i);
    reader->stage = STAGE_VALUES;
    for (guint k = 0; k < tops->len; k++)
        if (g_array_index(tops, HfTopWindow, k).wanted)
            hf_tree_reader_read_below(reader, (int)k);
}

/* ---- one after the other ---- */

static void advance_reader(Reading *reading, guint i)
{
    HfTreeReader *reader = reading->readers->pdata[i];
    switch ((Stage)reader->stage) {
    case STAGE_MEND:
        update_or_reread(reading, i);
        break;
    case STAGE_BELOW:
        read_windows(reading, i);
        break;
    case STAGE_VALUES:
        reader->stage = STAGE_DONE;
        hf_tree_reader_read_values(reader);
        break;
    case STAGE_DONE:
        break;
    }
}

/* A reader may be replaced by another one, so that it is looked up each time. */
static gboolean is_reader_due(const Reading *reading, guint i)
{
    const HfTreeReader *reader = reading->readers->pdata[i];
    return reader->stage != STAGE_DONE && hf_call_batch_count_open(reading->batch, reader) == 0;
}

/* TRUE: all is asked and answered. */
static gboolean go_on_all(Reading *reading)
{
    gboolean done = TRUE;
    for (guint i = 0; i < reading->readers->len; i++) {
        while (is_reader_due(reading, i))
            advance_reader(reading, i);
        done = done && hf_call_batch_count_open(reading->batch, reading->readers->pdata[i]) == 0;
    }
    return done;
}

/* Time is over for those that are not done. What was known of one that does not answer is not told
 * as if it were so now. */
static void break_off(Reading *reading)
{
    for (guint i = 0; i < reading->readers->len; i++) {
        HfTreeReader *reader = reading->readers->pdata[i];
        if (reader->stage == STAGE_MEND) {
            hf_raw_nodes_clear(reader->records);
            reader->tops = 0;
        }
        if (reader->stage <= STAGE_BELOW)
            choose_tops(reading, i);
    }
}

/* ---- what came of it ---- */

static void note_silence(Reading *reading)
{
    for (guint i = 0; i < reading->readers->len; i++) {
        HfTreeReader *reader = reading->readers->pdata[i];
        if (hf_call_batch_count_open(reading->batch, reader) == 0 && reader->program->traits)
            continue;
        if (!reader->truncated)
            reader->truncated |= HF_TRUNCATED_TIME;
        if (reader->heard > 0 || reader->program->set_aside)
            continue;
        reader->truncated |= HF_TRUNCATED_PROGRAM;
        hf_bus_programs_set_aside(reading->access->programs, reader->program);
    }
}

static HfNode to_node(const HfRawNode *record, int program, const HfTopWindow *way)
{
    HfNode node = {
        .program = program,
        .path = record->path,
        .role = record->role,
        .states = record->states,
        .name = record->name && *record->name ? record->name : NULL,
        .description = record->description,
        .identifier = record->identifier,
        .dom = record->dom,
        .value = record->value,
        .actions = record->actions,
        .abilities = record->abilities,
        .source = HF_SOURCE_ACCESS | (way->in_page ? HF_SOURCE_DOM : 0),
        .window = way->window,
        .secure = record->role == HF_ROLE_PASSWORD_TEXT,
        .more = record->more,
        .missing = record->missing,
        .pops_up = way->pops_up,
    };
    if (!hf_rect_is_empty(record->extents))
        node.bounds = hf_transform_rect(way->transform, record->extents);
    return node;
}

/* How a record's place becomes one on the screen: as its parent's, unless it is a page or has
 * popped up, or its toolkit is known to be wrong. */
static HfTopWindow way_of(const HfTreeReader *reader, const HfRawNode *record,
                          const HfTopWindow *above, GPtrArray *popups)
{
    HfTopWindow way = *above;
    way.pops_up = popups && hf_transform_match_popup(popups, reader->program->pid, record->extents,
                                                     &way.transform);
    if (record->role == HF_ROLE_ROOT_PANE && reader->program->traits->forgets_menu_bar)
        hf_transform_correct_pane(above->extents, record->extents, &way.transform);
    if (record->role != HF_ROLE_DOCUMENT_WEB)
        return way;
    way.in_page = reader->program->traits->page_identifiers;
    if (reader->program->traits->page_in_pixels)
        way.transform = (HfTransform){1, 0, 0};
    return way;
}

static gboolean is_node_left_out(const HfRawNode *record)
{
    return (record->known & HF_KNOWN_HIDDEN) || !(record->known & HF_KNOWN_ROLE);
}

/* Records come after their parents; what is left out takes all below with it. */
static void add_records(HfTree *tree, int program, const HfTreeReader *reader, const GArray *tops,
                        GPtrArray *popups)
{
    int count = hf_raw_nodes_size(reader->records);
    g_autofree int *places = g_new(int, count + 1);
    g_autofree HfTopWindow *ways = g_new(HfTopWindow, count + 1);
    for (int i = 0; i < count; i++) {
        const HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        gboolean top = record->parent == HF_NODE_NONE;
        int parent = top ? HF_NODE_NONE : places[record->parent];
        places[i] = HF_NODE_NONE;
        gboolean wanted = top ? g_array_index(tops, HfTopWindow, i).wanted : parent != HF_NODE_NONE;
        if (!wanted || is_node_left_out(record))
            continue;
        if (hf_tree_size(tree) >= reader->scope->max_nodes) {
            hf_tree_truncate(tree, HF_TRUNCATED_NODES);
            break;
        }
        ways[i] =
            way_of(reader, record,
                   top ? &g_array_index(tops, HfTopWindow, i) : &ways[record->parent], popups);
        HfNode node = to_node(record, program, &ways[i]);
        places[i] = hf_tree_add(tree, parent, &node);
    }
}

/* Only for programs that do not know where on the screen they are. */
static GPtrArray *list_popups(const Reading *reading, const HfTreeReader *reader)
{
    const HfToolkitTraits *traits = reader->program->traits;
    return traits && traits->window_relative ? hf_windows_list_popups(reading->desktop, NULL)
                                             : NULL;
}

static HfTree *make_tree(const Reading *reading)
{
    HfTree *tree = hf_tree_new();
    for (guint i = 0; i < reading->readers->len; i++) {
        const HfTreeReader *reader = reading->readers->pdata[i];
        HfTreeProgram program = {
            .bus = reader->program->bus,
            .name = reader->program->name,
            .toolkit = reader->program->toolkit,
            .version = reader->program->version,
            .pid = reader->program->pid,
            .truncated = reader->truncated,
        };
        int index = hf_tree_add_program(tree, &program);
        g_autoptr(GPtrArray) popups = list_popups(reading, reader);
        add_records(tree, index, reader, reading->tops->pdata[i], popups);
    }
    hf_tree_note_calls(tree, hf_call_batch_count_calls(reading->batch));
    hf_stacked_pages_hide(tree);
    hf_tree_finish(tree);
    return tree;
}

/* What does not show may hold anything. */
static gboolean is_large_program(const HfTreeReader *reader)
{
    return reader->truncated ||
           reader->met + reader->closed * GUESSED_INSIDE > HF_LIMIT_ACCESS_ATTENDED;
}

/* Those that give all of their objects at once over it are connected to after the first look. */
static gboolean is_worth_a_line(const HfBusProgram *program)
{
    return program->traits && !program->large &&
           (program->traits->bulk || is_looked_at_often(program));
}

static void keep_readers(Reading *reading)
{
    for (guint i = reading->readers->len; i-- > 0;) {
        HfTreeReader *reader = reading->readers->pdata[i];
        HfBusProgram *program = reader->program;
        program->large = is_large_program(reader);
        if (program->traits)
            hf_tree_reader_remember_cells(reader);
        if (hf_tree_cache_is_worthwhile(reader)) {
            g_clear_pointer(&reader->items, hf_cache_items_free);
            hf_tree_reader_free(program->kept);
            program->kept = g_ptr_array_steal_index(reading->readers, i);
        } else {
            hf_event_listener_unfollow(program->hearing, program->bus);
        }
        if (is_worth_a_line(program))
            hf_bus_programs_want_direct_connection(reading->access->programs, program);
        program->looked_us = g_get_monotonic_time();
    }
}

/* Of what was not read, nothing is known. */
static void note_secure_fields(const Reading *reading, const HfTree *tree)
{
    g_autoptr(GPtrArray) read = g_ptr_array_new();
    for (guint i = 0; i < reading->windows->len; i++) {
        HfWindow *window = reading->windows->pdata[i];
        if (!hf_windows_find(reading->blocked, window->id))
            g_ptr_array_add(read, window);
    }
    hf_password_fields_note(reading->desktop, read, reading->scope.window, reading->scope.pid,
                            tree);
}

HfTree *hf_tree_read(const HfCallContext *context, const HfTreeScope *scope,
                     const HfDeadline *deadline, GError **error)
{
    g_auto(Reading) reading = {.scope = complete_scope(scope)};
    if (!look_at_platform(&reading, context, error))
        return NULL;
    reading.deadline = hf_deadline_within_ms(deadline, reading.scope.max_ms);
    reading.access = hf_atspi_acquire(reading.desktop, deadline, error);
    if (!reading.access)
        return NULL;
    /* What does not show is met as well, and not told. */
    reading.left = MIN(2 * reading.scope.max_nodes + 64, HF_LIMIT_TREE_NODES);
    reading.batch = hf_call_batch_new(&reading.deadline);
    reading.readers = g_ptr_array_new_with_free_func((GDestroyNotify)hf_tree_reader_free);
    reading.tops = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    if (!find_programs(&reading, error))
        return NULL;
    while (!go_on_all(&reading) && hf_call_batch_step(reading.batch))
        continue;
    break_off(&reading);
    note_silence(&reading);
    if (g_cancellable_set_error_if_cancelled(deadline->cancellable, NULL)) {
        hf_deadline_check(deadline, error);
        return NULL;
    }
    HfTree *tree = make_tree(&reading);
    note_secure_fields(&reading, tree);
    keep_readers(&reading);
    return tree;
}
