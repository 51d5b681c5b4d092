/* SPDX-License-Identifier: Apache-2.0 */
/* Who is on the bus. The process of a program is asked of the bus, which always answers; what it is
 * called and made with, of the program itself. */
#include "hand/atspi/bus/bus-programs.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/read/tree-reader.h"
#include "hand/desktop/session-bus.h"
#include "shared/base/error.h"

struct HfBusPrograms {
    HfBusConnection *bus;  /* answers that may come at any time */
    HfBusConnection *wire; /* and those that are waited for */
    char *address;         /* of the bus */
    HfEventListener *hearing;
    HfBusConnection *ear; /* NULL: closed */
    GPtrArray *list;      /* of HfProgram */
    guint next_id;
    guint comings;      /* hf_event_listener_count_name_changes before they were listed; 0: never */
    HfCallBatch *pings; /* to those that were set aside; answered whenever they are back */
    HfDeadline now;     /* of the pings: what is there is taken, nothing is waited for */
};

static void program_free(HfBusProgram *program)
{
    hf_event_listener_unfollow(program->hearing, program->bus);
    hf_event_listener_unwatch_connection(program->hearing, program->bus);
    hf_tree_reader_free(program->kept);
    hf_bus_connection_free(program->direct);
    g_hash_table_unref(program->actions);
    g_hash_table_unref(program->cells);
    g_free(program->bus);
    g_free(program->root);
    g_free(program->name);
    g_free(program->toolkit);
    g_free(program->version);
    g_free(program->address);
    g_free(program);
}

HfBusPrograms *hf_bus_programs_new(HfBusConnection *bus, HfBusConnection *wire, const char *address,
                                   HfEventListener *hearing)
{
    HfBusPrograms *programs = g_new0(HfBusPrograms, 1);
    programs->bus = bus;
    programs->wire = wire;
    programs->address = g_strdup(address);
    programs->hearing = hearing;
    programs->list = g_ptr_array_new_with_free_func((GDestroyNotify)program_free);
    programs->pings = hf_call_batch_new(&programs->now);
    return programs;
}

void hf_bus_programs_free(HfBusPrograms *programs)
{
    if (!programs)
        return;
    hf_bus_programs_set_event_connection(programs, NULL);
    hf_call_batch_free(programs->pings);
    g_ptr_array_unref(programs->list);
    g_free(programs->address);
    g_free(programs);
}

void hf_bus_programs_set_event_connection(HfBusPrograms *programs, HfBusConnection *ear)
{
    programs->ear = ear;
    for (guint i = 0; i < programs->list->len; i++) {
        HfBusProgram *program = programs->list->pdata[i];
        program->ear = ear;
        program->attended = program->asked = FALSE;
        hf_event_listener_unfollow(program->hearing, program->bus);
        g_clear_pointer(&program->kept, hf_tree_reader_free);
    }
}

GPtrArray *hf_bus_programs_list(HfBusPrograms *programs)
{
    return programs->list;
}

static HfBusProgram *find_bus_program(HfBusPrograms *programs, const char *bus)
{
    for (guint i = 0; i < programs->list->len; i++) {
        HfBusProgram *program = programs->list->pdata[i];
        if (strcmp(program->bus, bus) == 0)
            return program;
    }
    return NULL;
}

static HfBusProgram *find_by_id(HfBusPrograms *programs, int id)
{
    for (guint i = 0; i < programs->list->len; i++) {
        HfBusProgram *program = programs->list->pdata[i];
        if (program->id == (guint)id)
            return program;
    }
    return NULL;
}

/* ---- who is there ---- */

typedef struct Census {
    HfBusPrograms *programs;
    HfCallBatch *batch;
    GPtrArray *seen; /* of HfProgram; NULL until the registry has answered */
} Census;

static void on_pid(gpointer owner, int id, GVariant *body)
{
    HfBusProgram *program = find_by_id(((Census *)owner)->programs, id);
    guint32 pid = 0;
    if (body)
        g_variant_get(body, "(u)", &pid);
    if (program)
        program->pid = (int)pid;
}

static HfBusProgram *add_bus_program(Census *census, const char *bus, const char *root)
{
    HfBusProgram *program = g_new0(HfBusProgram, 1);
    program->id = ++census->programs->next_id;
    program->bus = g_strdup(bus);
    program->root = g_strdup(root);
    program->actions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    program->cells = hf_cells_new();
    program->hearing = census->programs->hearing;
    program->ear = census->programs->ear;
    g_ptr_array_add(census->programs->list, program);
    HfBatchCall call = {
        .line = census->programs->wire,
        .destination = "org.freedesktop.DBus",
        .path = "/org/freedesktop/DBus",
        .interface = "org.freedesktop.DBus",
        .method = "GetConnectionUnixProcessID",
        .arguments = g_variant_new("(s)", bus),
        .reply_type = "(u)",
        .done = on_pid,
        .owner = census,
        .index = (int)program->id,
    };
    hf_call_batch_call(census->batch, &call);
    return program;
}

static void on_roots(gpointer owner, int index, GVariant *body)
{
    Census *census = owner;
    g_autoptr(GVariantIter) roots = NULL;
    const char *bus, *root;
    if (!body)
        return;
    census->seen = g_ptr_array_new();
    g_variant_get(body, "(a(so))", &roots);
    while (census->seen->len < HF_LIMIT_ACCESS_PROGRAMS &&
           g_variant_iter_next(roots, "(&s&o)", &bus, &root)) {
        HfBusProgram *known = find_bus_program(census->programs, bus);
        g_ptr_array_add(census->seen, known ? known : add_bus_program(census, bus, root));
    }
}

static void remove_gone_programs(HfBusPrograms *programs, const GPtrArray *seen)
{
    for (guint i = programs->list->len; i-- > 0;)
        if (!g_ptr_array_find((GPtrArray *)seen, programs->list->pdata[i], NULL))
            g_ptr_array_remove_index(programs->list, i);
}

gboolean hf_bus_programs_refresh(HfBusPrograms *programs, const HfDeadline *deadline,
                                 GError **error)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    Census census = {programs, batch, NULL};
    HfBatchCall call = {
        .line = programs->wire,
        .destination = HF_ATSPI_REGISTRY,
        .path = HF_ATSPI_ROOT,
        .interface = HF_ATSPI_ACCESSIBLE,
        .method = "GetChildren",
        .reply_type = "(a(so))",
        .done = on_roots,
        .owner = &census,
    };
    guint comings = hf_event_listener_count_name_changes(programs->hearing);
    hf_call_batch_call(batch, &call);
    hf_call_batch_run(batch);
    g_autoptr(GPtrArray) seen = census.seen;
    programs->comings = seen ? comings : 0;
    if (seen)
        remove_gone_programs(programs, seen);
    else if (hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "the registry of the accessibility bus does not answer");
    return seen != NULL;
}

gboolean hf_bus_programs_are_fresh(const HfBusPrograms *programs)
{
    return programs->comings &&
           programs->comings == hf_event_listener_count_name_changes(programs->hearing);
}

/* ---- what they are ---- */

static void replace_string_value(char **place, GVariant *value)
{
    g_free(*place);
    *place = g_strdup(value && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)
                          ? g_variant_get_string(value, NULL)
                          : "");
}

static void on_program_name(gpointer owner, int index, GVariant *value)
{
    replace_string_value(&((HfBusProgram *)owner)->name, value);
}

static void on_version(gpointer owner, int index, GVariant *value)
{
    replace_string_value(&((HfBusProgram *)owner)->version, value);
}

/* The last of all answers, so that the program has given the others as well. */
static void on_toolkit(gpointer owner, int index, GVariant *value)
{
    HfBusProgram *program = owner;
    replace_string_value(&program->toolkit, value);
    program->traits = hf_toolkit_traits_find(program->toolkit, program->name);
}

static void on_address(gpointer owner, int index, GVariant *body)
{
    HfBusProgram *program = owner;
    g_autoptr(GVariant) address = body ? g_variant_get_child_value(body, 0) : NULL;
    replace_string_value(&program->address, address);
}

static void drop_dead_line(HfBusProgram *program)
{
    if (!program->direct || hf_bus_connection_is_open(program->direct))
        return;
    hf_event_listener_unwatch_connection(program->hearing, program->bus);
    g_clear_pointer(&program->direct, hf_bus_connection_free);
}

static void ask_who(HfBusPrograms *programs, HfCallBatch *batch, HfBusProgram *program)
{
    HfBatchCall call = {
        .line = programs->wire,
        .destination = program->bus,
        .path = program->root,
        .interface = HF_ATSPI_APPLICATION,
        .owner = program,
    };
    call.done = on_version;
    hf_call_batch_get(batch, &call, "Version");
    call.interface = HF_ATSPI_ACCESSIBLE;
    call.done = on_program_name;
    hf_call_batch_get(batch, &call, "Name");
    call.interface = HF_ATSPI_APPLICATION;
    call.done = on_toolkit;
    hf_call_batch_get(batch, &call, "ToolkitName");
}

void hf_bus_programs_query_identity(HfBusPrograms *programs, GPtrArray *list,
                                    const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (guint i = 0; i < list->len; i++) {
        HfBusProgram *program = list->pdata[i];
        if (!program->traits)
            ask_who(programs, batch, program);
        drop_dead_line(program);
    }
    hf_call_batch_run(batch);
}

/* ---- lines to them ---- */

static void ask_address(HfCallBatch *batch, HfBusConnection *caller, HfBusProgram *program)
{
    HfBatchCall call = {
        .line = caller,
        .destination = program->bus,
        .path = program->root,
        .interface = HF_ATSPI_APPLICATION,
        .method = "GetApplicationBusAddress",
        .reply_type = "(s)",
        .done = on_address,
        .owner = program,
    };
    hf_call_batch_call(batch, &call);
}

static void connect_directly(HfBusProgram *program, const HfDeadline *deadline)
{
    HfDbusSocket *wire =
        program->address ? hf_dbus_socket_connect(program->address, deadline) : NULL;
    program->wants_direct = FALSE;
    if (!wire) {
        gboolean late = !program->address || hf_deadline_passed(deadline);
        program->direct_tries += late ? 1 : HF_LIMIT_ACCESS_CONNECT_TRIES;
        return;
    }
    program->direct = hf_bus_connection_new_socket(wire);
    hf_event_listener_watch_connection(program->hearing, program->bus, program->direct);
}

static void ask_addresses(const GPtrArray *list, HfBusConnection *caller,
                          const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (guint i = 0; i < list->len; i++)
        ask_address(batch, caller, list->pdata[i]);
    hf_call_batch_run(batch);
}

/* Whoever asks over the bus where a program listens counts as a screen reader there until it leaves
 * the bus; so a line is opened for the question alone. Not so whoever asks over a line of its own,
 * of which the program makes nothing but answers. */
static void connect_all(HfBusPrograms *programs, const GPtrArray *list, const HfDeadline *deadline)
{
    GDBusConnection *connection = hf_dbus_open(programs->address, deadline, NULL);
    if (!connection)
        return;
    HfBusConnection *caller = hf_bus_connection_new(connection, NULL, NULL);
    g_autofree char *name = hf_bus_connection_dup_name(caller);
    g_autoptr(GPtrArray) asked = g_ptr_array_new();
    ask_addresses(list, caller, deadline);
    hf_bus_connection_free(caller);
    for (guint i = 0; i < list->len; i++)
        g_ptr_array_add(asked, ((HfBusProgram *)list->pdata[i])->bus);
    HfDeadline soon = hf_deadline_in_ms(HF_LIMIT_ACCESS_LEAVE_MS, NULL);
    hf_bus_programs_await_leave(programs, asked, name, &soon);
    for (guint i = 0; i < list->len; i++)
        connect_directly(list->pdata[i], deadline);
}

void hf_bus_programs_want_direct_connection(HfBusPrograms *programs, HfBusProgram *program)
{
    program->wants_direct = !program->direct && !program->set_aside &&
                            program->direct_tries < HF_LIMIT_ACCESS_CONNECT_TRIES;
}

static GPtrArray *find_wanting(const HfBusPrograms *programs)
{
    GPtrArray *wanting = g_ptr_array_new();
    for (guint i = 0; i < programs->list->len; i++)
        if (((HfBusProgram *)programs->list->pdata[i])->wants_direct)
            g_ptr_array_add(wanting, programs->list->pdata[i]);
    return wanting;
}

gboolean hf_bus_programs_any_wants_direct_connection(const HfBusPrograms *programs)
{
    g_autoptr(GPtrArray) wanting = find_wanting(programs);
    return wanting->len > 0;
}

void hf_bus_programs_connect(HfBusPrograms *programs, const HfDeadline *deadline)
{
    g_autoptr(GPtrArray) wanting = find_wanting(programs);
    if (wanting->len > 0)
        connect_all(programs, wanting, deadline);
}

/* ---- what they change ---- */

static void on_attending(gpointer owner, int index, GVariant *body)
{
    ((HfBusProgram *)owner)->attended = body != NULL;
}

/* The registry passes the order on before it answers, so that a question that is asked then comes
 * after it, if it goes the same way. */
static void ask_if_attending(HfCallBatch *batch, HfBusConnection *ear, HfBusProgram *program)
{
    HfBatchCall call = {
        .line = ear,
        .destination = program->bus,
        .path = program->root,
        .interface = "org.freedesktop.DBus.Peer",
        .method = "Ping",
        .reply_type = "()",
        .done = on_attending,
        .owner = program,
    };
    hf_call_batch_call(batch, &call);
}

void hf_bus_programs_request_events(HfBusPrograms *programs, const GPtrArray *list,
                                    const HfDeadline *deadline)
{
    HfDeadline soon = hf_deadline_within_ms(deadline, HF_LIMIT_ACCESS_CONNECT_MS);
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(&soon);
    for (guint i = 0; i < list->len; i++) {
        HfBusProgram *program = list->pdata[i];
        program->asked = TRUE;
        hf_event_listener_request_events(batch, programs->ear, program->bus);
    }
    hf_call_batch_run(batch);
    for (guint i = 0; i < list->len; i++)
        ask_if_attending(batch, programs->ear, list->pdata[i]);
    hf_call_batch_run(batch);
}

GPtrArray *hf_bus_programs_dup_event_senders(const HfBusPrograms *programs)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < programs->list->len; i++) {
        const HfBusProgram *program = programs->list->pdata[i];
        if (program->asked)
            g_ptr_array_add(names, g_strdup(program->bus));
    }
    return names;
}

static void on_answer(gpointer owner, int index, GVariant *body)
{
}

gboolean hf_bus_programs_all_answer(const HfBusPrograms *programs, const GPtrArray *names,
                                    const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (guint i = 0; i < names->len; i++) {
        HfBatchCall call = {
            .line = programs->wire,
            .destination = names->pdata[i],
            .path = HF_ATSPI_ROOT,
            .interface = "org.freedesktop.DBus.Peer",
            .method = "Ping",
            .reply_type = "()",
            .done = on_answer,
        };
        hf_call_batch_call(batch, &call);
    }
    return hf_call_batch_run(batch);
}

static void on_owner(gpointer owner, int index, GVariant *body)
{
    if (body)
        g_variant_get(body, "(b)", owner);
}

static gboolean has_bus_owner(const HfBusPrograms *programs, const char *name,
                              const HfDeadline *deadline)
{
    gboolean there = FALSE;
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    HfBatchCall call = {
        .line = programs->wire,
        .destination = "org.freedesktop.DBus",
        .path = "/org/freedesktop/DBus",
        .interface = "org.freedesktop.DBus",
        .method = "NameHasOwner",
        .arguments = g_variant_new("(s)", name),
        .reply_type = "(b)",
        .done = on_owner,
        .owner = &there,
    };
    hf_call_batch_call(batch, &call);
    return hf_call_batch_run(batch) && there;
}

/* The bus tells of it before it passes on what is asked later. */
void hf_bus_programs_await_leave(const HfBusPrograms *programs, const GPtrArray *names,
                                 const char *left, const HfDeadline *deadline)
{
    while (names->len > 0 && has_bus_owner(programs, left, deadline))
        ;
    hf_bus_programs_all_answer(programs, names, deadline);
}

/* ---- those that do not answer ---- */

static void on_program_pong(gpointer owner, int id, GVariant *body)
{
    HfBusProgram *program = find_by_id(owner, id);
    if (!program)
        return;
    program->set_aside = FALSE;
    program->slow_bulk = FALSE;
}

void hf_bus_programs_set_aside(HfBusPrograms *programs, HfBusProgram *program)
{
    HfBatchCall call = {
        .line = programs->bus,
        .destination = program->bus,
        .path = program->root,
        .interface = "org.freedesktop.DBus.Peer",
        .method = "Ping",
        .reply_type = "()",
        .done = on_program_pong,
        .owner = programs,
        .index = (int)program->id,
    };
    program->set_aside = TRUE;
    hf_call_batch_call(programs->pings, &call);
}

void hf_bus_programs_take_back(HfBusPrograms *programs)
{
    hf_call_batch_run(programs->pings);
}
