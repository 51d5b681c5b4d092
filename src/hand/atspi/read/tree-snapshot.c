/* SPDX-License-Identifier: Apache-2.0 */
/* One reading, from top to bottom: which programs are there, which windows they have, which of
 * those are wanted, what is below them, and where it is on the screen. What is not answered in time
 * is left out, and the tree says so. A program that answers nothing is set aside. */
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

/* An estimate for the objects inside a hidden one. */
#define GUESSED_INSIDE 20u

/* What a reader does once all of its calls are answered. Each reader advances on its own: a slow or
 * silent program holds up no other. */
typedef enum Stage { STAGE_UPDATE, STAGE_BELOW, STAGE_VALUES, STAGE_DONE } Stage;

typedef struct Reading {
    const HfCallContext *context;
    HfDesktop *desktop; /* the context's */
    HfAtspi *atspi;
    HfTreeScope scope;
    HfDeadline deadline;
    HfCallBatch *batch;
    GPtrArray *windows; /* of HfWindow */
    GPtrArray *blocked; /* those that the caller may not see */
    double scale;
    int budget;
    GPtrArray *readers; /* of HfTreeReader */
    GPtrArray *tops;    /* of GArray of HfTopWindow: one for each reader */
} Reading;

static int limit_or_default(int wanted, int most)
{
    return wanted > 0 ? MIN(wanted, most) : most;
}

static void snapshot_reading_clear(Reading *reading)
{
    g_clear_pointer(&reading->batch, hf_call_batch_free);
    g_clear_pointer(&reading->blocked, g_ptr_array_unref);
    g_clear_pointer(&reading->windows, g_ptr_array_unref);
    g_clear_pointer(&reading->readers, g_ptr_array_unref);
    g_clear_pointer(&reading->tops, g_ptr_array_unref);
    g_clear_pointer(&reading->atspi, hf_atspi_release_later);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reading, snapshot_reading_clear)

/* ---- windows of the desktop ---- */

/* The caller sees neither the content of blocked windows, nor their popups. */
static void find_blocked(Reading *reading)
{
    reading->blocked = g_ptr_array_new();
    if (reading->scope.unrestricted || !hf_fence_blocks_any(reading->context))
        return;
    for (guint i = 0; i < reading->windows->len; i++)
        if (hf_fence_blocks(reading->context, reading->windows->pdata[i]))
            g_ptr_array_add(reading->blocked, reading->windows->pdata[i]);
}

static gboolean list_desktop_windows(Reading *reading, const HfCallContext *context, GError **error)
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

/* ---- programs ---- */

static HfTreeReader *start_fresh_read(Reading *reading, HfBusProgram *program)
{
    HfTreeReader *reader = hf_tree_reader_new(program, reading->atspi->socket);
    hf_tree_reader_begin(reader, reading->batch, &reading->scope, &reading->budget);
    reader->stage = STAGE_BELOW;
    if (program->set_aside || !program->traits) {
        reader->truncated |= HF_TRUNCATED_PROGRAM;
        return reader;
    }
    reader->followed = program->sends_events;
    if (reader->followed)
        hf_event_listener_follow(reading->atspi->listener, program->bus);
    hf_tree_reader_read_windows(reader);
    return reader;
}

static HfTreeReader *begin_reader(Reading *reading, HfBusProgram *program)
{
    HfTreeReader *cached = g_steal_pointer(&program->cached);
    if (!cached || program->set_aside || !hf_tree_cache_fits(cached, &reading->scope)) {
        hf_tree_reader_free(cached);
        return start_fresh_read(reading, program);
    }
    hf_tree_reader_begin(cached, reading->batch, &reading->scope, &reading->budget);
    cached->stage = STAGE_UPDATE;
    hf_tree_cache_begin(cached);
    return cached;
}

static void update_or_reread(Reading *reading, guint i)
{
    HfTreeReader *reader = reading->readers->pdata[i];
    reader->stage = STAGE_BELOW;
    if (hf_tree_cache_update(reader))
        return;
    reading->budget += hf_raw_nodes_size(reader->records);
    reading->readers->pdata[i] = start_fresh_read(reading, reader->program);
    hf_tree_reader_free(reader);
}

static gboolean is_pid_on_bus(const Reading *reading, int pid)
{
    const GPtrArray *programs = hf_bus_programs_list(reading->atspi->programs);
    for (guint i = 0; i < programs->len; i++)
        if (((HfBusProgram *)programs->pdata[i])->pid == pid)
            return TRUE;
    return FALSE;
}

/* Whether the program of a window in scope is not on the bus. */
static gboolean misses_program(const Reading *reading)
{
    for (guint i = 0; i < reading->windows->len; i++) {
        const HfWindow *window = reading->windows->pdata[i];
        gboolean wanted = reading->scope.pid == 0 || reading->scope.pid == window->pid;
        if (wanted && window->pid > 0 && !is_pid_on_bus(reading, window->pid))
            return TRUE;
    }
    return FALSE;
}

/* Qt programs join a bus that our first call has only just started. We wait no longer than that
 * takes: many programs never join. If nobody has joined or left and no program is missing, we skip
 * the refresh, which costs a round trip through two processes. */
static gboolean refresh_programs(Reading *reading, GError **error)
{
    HfDeadline young = reading->deadline;
    hf_bus_programs_take_back(reading->atspi->programs);
    if (hf_bus_programs_are_fresh(reading->atspi->programs) && !misses_program(reading))
        return TRUE;
    young.at_us =
        MIN(young.at_us, reading->atspi->opened_us + HF_LIMIT_ACCESS_JOIN_MS * (gint64)1000);
    do {
        if (!hf_bus_programs_refresh(reading->atspi->programs, &reading->deadline, error))
            return FALSE;
    } while (misses_program(reading) &&
             hf_event_listener_wait_joined(reading->atspi->listener, &young));
    return TRUE;
}

static gboolean is_read_often(const HfBusProgram *program)
{
    gint64 since_us = g_get_monotonic_time() - program->looked_us;
    return program->looked_us && since_us < HF_LIMIT_REST_AFTER_MS * (gint64)1000;
}

/* Events are worth their cost only for repeated readings, and never for gigantic programs. */
static void follow_frequent_programs(Reading *reading, const GPtrArray *programs)
{
    g_autoptr(GPtrArray) often = g_ptr_array_new();
    for (guint i = 0; i < programs->len && !reading->scope.again; i++) {
        const HfBusProgram *program = programs->pdata[i];
        if (program->traits && program->traits->tells_changes && !program->sends_events &&
            !program->large && is_read_often(program))
            g_ptr_array_add(often, programs->pdata[i]);
    }
    if (often->len > 0 && hf_atspi_listen(reading->atspi, &reading->deadline))
        hf_bus_programs_request_events(reading->atspi->programs, often, &reading->deadline);
}

/* A program walks all of its objects when we connect (hf_bus_programs_want_direct_connection), and
 * their number is unknown before the first reading. But little memory cannot hold many. */
static void connect_new_programs(Reading *reading, const GPtrArray *programs)
{
    HfDeadline soon = hf_deadline_within_ms(&reading->deadline, HF_LIMIT_ACCESS_CONNECT_MS);
    for (guint i = 0; i < programs->len; i++) {
        HfBusProgram *program = programs->pdata[i];
        if (!program->traits || !program->traits->bulk || program->looked_us || program->pid <= 0)
            continue;
        guint64 size = hf_process_private_kb(program->pid);
        if (size > 0 && size < HF_LIMIT_ACCESS_SMALL_KB)
            hf_bus_programs_want_direct_connection(reading->atspi->programs, program);
    }
    hf_bus_programs_connect(reading->atspi->programs, &soon);
}

static gboolean find_programs(Reading *reading, GError **error)
{
    if (!refresh_programs(reading, error))
        return FALSE;
    const GPtrArray *all = hf_bus_programs_list(reading->atspi->programs);
    g_autoptr(GPtrArray) programs = g_ptr_array_new(), awake = g_ptr_array_new();
    for (guint i = 0; i < all->len; i++) {
        HfBusProgram *program = all->pdata[i];
        if (reading->scope.pid && program->pid && program->pid != reading->scope.pid)
            continue;
        g_ptr_array_add(programs, program);
        if (!program->set_aside)
            g_ptr_array_add(awake, program);
    }
    hf_bus_programs_query_identity(reading->atspi->programs, awake, &reading->deadline);
    connect_new_programs(reading, awake);
    follow_frequent_programs(reading, awake);
    for (guint i = 0; i < programs->len; i++) {
        g_ptr_array_add(reading->readers, begin_reader(reading, programs->pdata[i]));
        g_ptr_array_add(reading->tops, g_array_new(FALSE, TRUE, sizeof(HfTopWindow)));
    }
    return TRUE;
}

/* ---- windows of the programs ---- */

static gboolean is_top_blocked(const Reading *reading, int pid, const HfTopWindow *top)
{
    for (guint i = 0; i < reading->blocked->len; i++) {
        const HfWindow *window = reading->blocked->pdata[i];
        if (top->window ? window->id == top->window : window->pid == pid)
            return TRUE;
    }
    return FALSE;
}

/* Without a desktop window it may be a popup menu or list. Some programs keep frames ready that
 * show nowhere. */
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
    for (int k = 0; k < reader->tops; k++) {
        const HfRawNode *record = hf_raw_nodes_get(reader->records, k);
        HfTopWindow top = {.name = record->name, .extents = record->extents};
        g_array_append_val(tops, top);
    }
    if (reader->program->traits)
        hf_transform_match_windows(reader->program->traits, reader->program->pid, reading->windows,
                                   reading->scale, (HfTopWindow *)(void *)tops->data, tops->len);
    for (guint k = 0; k < tops->len; k++) {
        HfTopWindow *top = &g_array_index(tops, HfTopWindow, k);
        top->wanted = wants_top(reading, reader->program->pid,
                                hf_raw_nodes_get(reader->records, (int)k), top);
    }
}

static void read_chosen_windows(const Reading *reading, guint i)
{
    HfTreeReader *reader = reading->readers->pdata[i];
    const GArray *tops = reading->tops->pdata[i];
    choose_tops(reading, i);
    reader->stage = STAGE_VALUES;
    for (guint k = 0; k < tops->len; k++)
        if (g_array_index(tops, HfTopWindow, k).wanted)
            hf_tree_reader_read_below(reader, (int)k);
}

/* ---- stages ---- */

static void advance_reader(Reading *reading, guint i)
{
    HfTreeReader *reader = reading->readers->pdata[i];
    switch ((Stage)reader->stage) {
    case STAGE_UPDATE:
        update_or_reread(reading, i);
        break;
    case STAGE_BELOW:
        read_chosen_windows(reading, i);
        break;
    case STAGE_VALUES:
        reader->stage = STAGE_DONE;
        hf_tree_reader_read_values(reader);
        break;
    case STAGE_DONE:
        break;
    }
}

/* TRUE: everything was asked and answered. Looks the reader up each time: a step may replace it. */
static gboolean advance_readers(Reading *reading)
{
    gboolean done = TRUE;
    for (guint i = 0; i < reading->readers->len; i++) {
        gboolean open;
        while (TRUE) {
            const HfTreeReader *reader = reading->readers->pdata[i];
            open = hf_call_batch_count_open(reading->batch, reader) > 0;
            if (open || reader->stage == STAGE_DONE)
                break;
            advance_reader(reading, i);
        }
        done = done && !open;
    }
    return done;
}

/* ---- results ---- */

/* Marks unfinished readings as truncated, and sets silent programs aside. A cached tree is dropped
 * when its program does not answer: it may be out of date. */
static void end_readers(Reading *reading)
{
    for (guint i = 0; i < reading->readers->len; i++) {
        HfTreeReader *reader = reading->readers->pdata[i];
        if (reader->stage == STAGE_UPDATE) {
            hf_raw_nodes_clear(reader->records);
            reader->tops = 0;
        }
        if (reader->stage <= STAGE_BELOW)
            choose_tops(reading, i);
        if (hf_call_batch_count_open(reading->batch, reader) == 0 && reader->program->traits)
            continue;
        if (!reader->truncated)
            reader->truncated |= HF_TRUNCATED_TIME;
        if (reader->answers > 0 || reader->program->set_aside)
            continue;
        reader->truncated |= HF_TRUNCATED_PROGRAM;
        hf_bus_programs_set_aside(reading->atspi->programs, reader->program);
    }
}

static HfNode to_node(const HfRawNode *record, int program, const HfTopWindow *window)
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
        .source = HF_SOURCE_ACCESS | (window->in_page ? HF_SOURCE_DOM : 0),
        .window = window->window,
        .secure = record->role == HF_ROLE_PASSWORD_TEXT,
        .more = record->more,
        .missing = record->missing,
        .pops_up = window->pops_up,
    };
    if (!hf_rect_is_empty(record->extents))
        node.bounds = hf_transform_rect(window->transform, record->extents);
    return node;
}

/* A record has its parent's transform, unless it is a page or a popup, or its toolkit is known to
 * report wrong positions. */
static HfTopWindow inherit_window(const HfTreeReader *reader, const HfRawNode *record,
                                  const HfTopWindow *above, GPtrArray *popups)
{
    HfTopWindow window = *above;
    window.pops_up = popups && hf_transform_match_popup(popups, reader->program->pid,
                                                        record->extents, &window.transform);
    if (record->role == HF_ROLE_ROOT_PANE && reader->program->traits->forgets_menu_bar)
        hf_transform_correct_pane(above->extents, record->extents, &window.transform);
    if (record->role != HF_ROLE_DOCUMENT_WEB)
        return window;
    window.in_page = reader->program->traits->page_identifiers;
    if (reader->program->traits->page_in_pixels)
        window.transform = (HfTransform){1, 0, 0};
    return window;
}

/* Records come after their parents. A record that is left out takes everything below with it. */
static void add_records(HfTree *tree, int program, const HfTreeReader *reader, const GArray *tops,
                        GPtrArray *popups)
{
    int count = hf_raw_nodes_size(reader->records);
    g_autofree int *places = g_new(int, count + 1);
    g_autofree HfTopWindow *windows = g_new(HfTopWindow, count + 1);
    for (int i = 0; i < count; i++) {
        const HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        gboolean top = record->parent == HF_NODE_NONE;
        int parent = top ? HF_NODE_NONE : places[record->parent];
        places[i] = HF_NODE_NONE;
        gboolean wanted = top ? g_array_index(tops, HfTopWindow, i).wanted : parent != HF_NODE_NONE;
        if (!wanted || (record->known & HF_KNOWN_HIDDEN) || !(record->known & HF_KNOWN_ROLE))
            continue;
        if (hf_tree_size(tree) >= reader->scope->max_nodes) {
            hf_tree_truncate(tree, HF_TRUNCATED_NODES);
            break;
        }
        windows[i] = inherit_window(
            reader, record, top ? &g_array_index(tops, HfTopWindow, i) : &windows[record->parent],
            popups);
        HfNode node = to_node(record, program, &windows[i]);
        places[i] = hf_tree_add(tree, parent, &node);
    }
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
        const HfToolkitTraits *traits = reader->program->traits;
        g_autoptr(GPtrArray) popups = NULL; /* only for programs that do not know the screen */
        if (traits && traits->window_relative)
            popups = hf_windows_list_popups(reading->desktop, NULL);
        add_records(tree, index, reader, reading->tops->pdata[i], popups);
    }
    hf_tree_note_calls(tree, hf_call_batch_count_calls(reading->batch));
    hf_stacked_pages_hide(tree);
    hf_tree_finish(tree);
    return tree;
}

/* Caches what can be kept up to date. Programs that send all objects in one reply get a direct
 * connection after the first reading, others when they are read often. */
static void keep_readers(Reading *reading)
{
    for (guint i = reading->readers->len; i-- > 0;) {
        HfTreeReader *reader = reading->readers->pdata[i];
        HfBusProgram *program = reader->program;
        program->large =
            reader->truncated ||
            reader->children_seen + reader->hidden_seen * GUESSED_INSIDE > HF_LIMIT_ACCESS_ATTENDED;
        if (program->traits)
            hf_tree_reader_remember_cells(reader);
        if (hf_tree_cache_is_worthwhile(reader)) {
            g_clear_pointer(&reader->items, hf_cache_items_free);
            hf_bus_program_drop_cached(program);
            program->cached = g_ptr_array_steal_index(reading->readers, i);
            program->free_cached = (GDestroyNotify)hf_tree_reader_free;
        } else {
            hf_event_listener_unfollow(program->listener, program->bus);
        }
        if (program->traits && !program->large && (program->traits->bulk || is_read_often(program)))
            hf_bus_programs_want_direct_connection(reading->atspi->programs, program);
        program->looked_us = g_get_monotonic_time();
    }
}

/* Leaves out blocked windows: they were not read. */
static void note_password_positions(const Reading *reading, const HfTree *tree)
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
    g_auto(Reading) reading = {.scope = *scope};
    reading.scope.max_depth = limit_or_default(scope->max_depth, HF_LIMIT_TREE_DEPTH);
    reading.scope.max_nodes = limit_or_default(scope->max_nodes, HF_LIMIT_TREE_NODES);
    reading.scope.max_ms = limit_or_default(scope->max_ms, HF_LIMIT_TREE_MS);
    if (!list_desktop_windows(&reading, context, error))
        return NULL;
    reading.deadline = hf_deadline_within_ms(deadline, reading.scope.max_ms);
    reading.atspi = hf_atspi_acquire(reading.desktop, deadline, error);
    if (!reading.atspi)
        return NULL;
    /* Hidden objects use up the budget too, although they are left out. */
    reading.budget = MIN(2 * reading.scope.max_nodes + 64, HF_LIMIT_TREE_NODES);
    reading.batch = hf_call_batch_new(&reading.deadline);
    reading.readers = g_ptr_array_new_with_free_func((GDestroyNotify)hf_tree_reader_free);
    reading.tops = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    if (!find_programs(&reading, error))
        return NULL;
    while (!advance_readers(&reading) && hf_call_batch_step(reading.batch))
        continue;
    end_readers(&reading);
    if (g_cancellable_set_error_if_cancelled(deadline->cancellable, NULL)) {
        hf_deadline_check(deadline, error);
        return NULL;
    }
    HfTree *tree = make_tree(&reading);
    note_password_positions(&reading, tree);
    keep_readers(&reading);
    return tree;
}
