/* SPDX-License-Identifier: Apache-2.0 */
/* Who is on the bus. The bus daemon, which always answers, knows a program's process; the program
 * itself knows its name and toolkit. */
#include "hand/atspi/bus/bus-programs.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/desktop/session-bus.h"
#include "shared/base/error.h"

struct HfBusPrograms {
    HfBusConnection *bus;    /* for replies that may come at any time */
    HfBusConnection *socket; /* for replies that we wait for */
    char *address;           /* of the bus */
    HfEventListener *listener;
    HfBusConnection *event_connection; /* NULL: closed */
    GPtrArray *list;                   /* of HfBusProgram */
    guint next_id;
    guint name_changes; /* hf_event_listener_count_name_changes before the last refresh; 0: never */
    HfCallBatch *pings; /* to programs that were set aside */
    HfDeadline now;     /* of the pings: never waits */
};

void hf_bus_program_drop_cached(HfBusProgram *program)
{
    if (program->cached)
        program->free_cached(g_steal_pointer(&program->cached));
}

static void program_free(HfBusProgram *program)
{
    hf_event_listener_unfollow(program->listener, program->bus);
    hf_event_listener_unwatch_connection(program->listener, program->bus);
    hf_bus_program_drop_cached(program);
    hf_bus_connection_free(program->direct);
    g_hash_table_unref(program->actions);
    g_clear_pointer(&program->cells, g_hash_table_unref);
    g_free(program->bus);
    g_free(program->root);
    g_free(program->name);
    g_free(program->toolkit);
    g_free(program->version);
    g_free(program->address);
    g_free(program);
}

HfBusPrograms *hf_bus_programs_new(HfBusConnection *bus, HfBusConnection *socket,
                                   const char *address, HfEventListener *listener)
{
    HfBusPrograms *programs = g_new0(HfBusPrograms, 1);
    programs->bus = bus;
    programs->socket = socket;
    programs->address = g_strdup(address);
    programs->listener = listener;
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

void hf_bus_programs_set_event_connection(HfBusPrograms *programs,
                                          HfBusConnection *event_connection)
{
    programs->event_connection = event_connection;
    for (guint i = 0; i < programs->list->len; i++) {
        HfBusProgram *program = programs->list->pdata[i];
        program->event_connection = event_connection;
        program->sends_events = program->events_requested = FALSE;
        hf_event_listener_unfollow(program->listener, program->bus);
        hf_bus_program_drop_cached(program);
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

/* ---- which programs are there ---- */

typedef struct Refresh {
    HfBusPrograms *programs;
    HfCallBatch *batch;
    GPtrArray *seen; /* of HfBusProgram; NULL until the registry has answered */
} Refresh;

static void on_pid(gpointer owner, int id, GVariant *body)
{
    HfBusProgram *program = find_by_id(((Refresh *)owner)->programs, id);
    guint32 pid = 0;
    if (body)
        g_variant_get(body, "(u)", &pid);
    if (program)
        program->pid = (int)pid;
}

static HfBusProgram *add_bus_program(Refresh *refresh, const char *bus, const char *root)
{
    HfBusProgram *program = g_new0(HfBusProgram, 1);
    program->id = ++refresh->programs->next_id;
    program->bus = g_strdup(bus);
    program->root = g_strdup(root);
    program->actions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    program->listener = refresh->programs->listener;
    program->event_connection = refresh->programs->event_connection;
    g_ptr_array_add(refresh->programs->list, program);
    hf_call_batch_call_bus(refresh->batch, refresh->programs->socket, "GetConnectionUnixProcessID",
                           bus, "(u)", on_pid, refresh, (int)program->id);
    return program;
}

static void on_roots(gpointer owner, int index, GVariant *body)
{
    Refresh *refresh = owner;
    g_autoptr(GVariantIter) roots = NULL;
    const char *bus, *root;
    if (!body)
        return;
    refresh->seen = g_ptr_array_new();
    g_variant_get(body, "(a(so))", &roots);
    while (refresh->seen->len < HF_LIMIT_ACCESS_PROGRAMS &&
           g_variant_iter_next(roots, "(&s&o)", &bus, &root)) {
        HfBusProgram *known = find_bus_program(refresh->programs, bus);
        g_ptr_array_add(refresh->seen, known ? known : add_bus_program(refresh, bus, root));
    }
}

gboolean hf_bus_programs_refresh(HfBusPrograms *programs, const HfDeadline *deadline,
                                 GError **error)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    Refresh refresh = {programs, batch, NULL};
    HfBatchCall call = {
        .connection = programs->socket,
        .destination = HF_ATSPI_REGISTRY,
        .path = HF_ATSPI_ROOT,
        .interface = HF_ATSPI_ACCESSIBLE,
        .method = "GetChildren",
        .reply_type = "(a(so))",
        .done = on_roots,
        .owner = &refresh,
    };
    guint name_changes = hf_event_listener_count_name_changes(programs->listener);
    hf_call_batch_call(batch, &call);
    hf_call_batch_run(batch);
    g_autoptr(GPtrArray) seen = refresh.seen;
    programs->name_changes = seen ? name_changes : 0;
    if (!seen)
        return hf_deadline_check(deadline, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                       "the registry of the accessibility bus does not answer");
    for (guint i = programs->list->len; i-- > 0;)
        if (!g_ptr_array_find(seen, programs->list->pdata[i], NULL))
            g_ptr_array_remove_index(programs->list, i);
    return TRUE;
}

gboolean hf_bus_programs_are_fresh(const HfBusPrograms *programs)
{
    return programs->name_changes &&
           programs->name_changes == hf_event_listener_count_name_changes(programs->listener);
}

/* ---- name and toolkit ---- */

static void replace_string_value(char **place, GVariant *value)
{
    g_free(*place);
    *place = g_strdup(value && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)
                          ? g_variant_get_string(value, NULL)
                          : "");
}

/* The toolkit comes last: the program has sent the others by then. */
enum { IDENTITY_VERSION, IDENTITY_NAME, IDENTITY_TOOLKIT };

static void on_identity(gpointer owner, int index, GVariant *value)
{
    HfBusProgram *program = owner;
    replace_string_value(index == IDENTITY_VERSION ? &program->version
                         : index == IDENTITY_NAME  ? &program->name
                                                   : &program->toolkit,
                         value);
    if (index == IDENTITY_TOOLKIT)
        program->traits = hf_toolkit_traits_find(program->toolkit, program->name);
}

static void on_address(gpointer owner, int index, GVariant *body)
{
    HfBusProgram *program = owner;
    g_autoptr(GVariant) address = body ? g_variant_get_child_value(body, 0) : NULL;
    replace_string_value(&program->address, address);
}

static void query_program_identity(HfBusPrograms *programs, HfCallBatch *batch,
                                   HfBusProgram *program)
{
    HfBatchCall call = {
        .connection = programs->socket,
        .destination = program->bus,
        .path = program->root,
        .interface = HF_ATSPI_APPLICATION,
        .done = on_identity,
        .owner = program,
        .index = IDENTITY_VERSION,
    };
    hf_call_batch_get(batch, &call, "Version");
    call.interface = HF_ATSPI_ACCESSIBLE;
    call.index = IDENTITY_NAME;
    hf_call_batch_get(batch, &call, "Name");
    call.interface = HF_ATSPI_APPLICATION;
    call.index = IDENTITY_TOOLKIT;
    hf_call_batch_get(batch, &call, "ToolkitName");
}

void hf_bus_programs_query_identity(HfBusPrograms *programs, GPtrArray *list,
                                    const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (guint i = 0; i < list->len; i++) {
        HfBusProgram *program = list->pdata[i];
        if (!program->traits)
            query_program_identity(programs, batch, program);
        if (program->direct && !hf_bus_connection_is_open(program->direct)) {
            hf_event_listener_unwatch_connection(program->listener, program->bus);
            g_clear_pointer(&program->direct, hf_bus_connection_free);
        }
    }
    hf_call_batch_run(batch);
}

/* ---- direct connections ---- */

static void connect_directly(HfBusProgram *program, const HfDeadline *deadline)
{
    HfDbusSocket *socket =
        program->address ? hf_dbus_socket_connect(program->address, deadline) : NULL;
    program->wants_direct = FALSE;
    if (!socket) {
        gboolean late = !program->address || hf_deadline_passed(deadline);
        program->direct_tries += late ? 1 : HF_LIMIT_ACCESS_CONNECT_TRIES;
        return;
    }
    program->direct = hf_bus_connection_new_socket(socket);
    hf_event_listener_watch_connection(program->listener, program->bus, program->direct);
}

static void query_addresses(const GPtrArray *list, HfBusConnection *caller,
                            const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (guint i = 0; i < list->len; i++) {
        HfBusProgram *program = list->pdata[i];
        HfBatchCall call = {
            .connection = caller,
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
    hf_call_batch_run(batch);
}

/* A program takes whoever asks for its address over the bus for a screen reader, until that peer
 * leaves the bus. So this question gets a connection of its own, which is closed at once. A peer on
 * a direct connection does not count as one. */
static void connect_programs(HfBusPrograms *programs, const GPtrArray *list,
                             const HfDeadline *deadline)
{
    GDBusConnection *connection = hf_dbus_open(programs->address, deadline, NULL);
    if (!connection)
        return;
    HfBusConnection *caller = hf_bus_connection_new(connection, NULL, NULL);
    g_autofree char *name = hf_bus_connection_dup_name(caller);
    g_autoptr(GPtrArray) asked = g_ptr_array_new();
    query_addresses(list, caller, deadline);
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
        connect_programs(programs, wanting, deadline);
}

/* ---- events ---- */

static void on_events_confirmed(gpointer owner, int index, GVariant *body)
{
    ((HfBusProgram *)owner)->sends_events = body != NULL;
}

/* The registry forwards the request before it replies. A ping that follows over the same connection
 * reaches the program after the request, so its reply confirms it. */
void hf_bus_programs_request_events(HfBusPrograms *programs, const GPtrArray *list,
                                    const HfDeadline *deadline)
{
    HfDeadline soon = hf_deadline_within_ms(deadline, HF_LIMIT_ACCESS_CONNECT_MS);
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(&soon);
    for (guint i = 0; i < list->len; i++) {
        HfBusProgram *program = list->pdata[i];
        program->events_requested = TRUE;
        hf_event_listener_request_events(batch, programs->event_connection, program->bus);
    }
    hf_call_batch_run(batch);
    for (guint i = 0; i < list->len; i++) {
        HfBusProgram *program = list->pdata[i];
        hf_call_batch_ping(batch, programs->event_connection, program->bus, program->root,
                           on_events_confirmed, program, 0);
    }
    hf_call_batch_run(batch);
}

GPtrArray *hf_bus_programs_dup_event_senders(const HfBusPrograms *programs)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < programs->list->len; i++) {
        const HfBusProgram *program = programs->list->pdata[i];
        if (program->events_requested)
            g_ptr_array_add(names, g_strdup(program->bus));
    }
    return names;
}

gboolean hf_bus_programs_all_answer(const HfBusPrograms *programs, const GPtrArray *names,
                                    const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (guint i = 0; i < names->len; i++)
        hf_call_batch_ping(batch, programs->socket, names->pdata[i], HF_ATSPI_ROOT, NULL, NULL, 0);
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
    hf_call_batch_call_bus(batch, programs->socket, "NameHasOwner", name, "(b)", on_owner, &there,
                           0);
    return hf_call_batch_run(batch) && there;
}

/* The bus announces the departure before it delivers later calls: a program that answers a ping has
 * heard of it. */
void hf_bus_programs_await_leave(const HfBusPrograms *programs, const GPtrArray *names,
                                 const char *left, const HfDeadline *deadline)
{
    while (names->len > 0 && has_bus_owner(programs, left, deadline))
        ;
    hf_bus_programs_all_answer(programs, names, deadline);
}

/* ---- programs that do not answer ---- */

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
    program->set_aside = TRUE;
    hf_call_batch_ping(programs->pings, programs->bus, program->bus, program->root, on_program_pong,
                       programs, (int)program->id);
}

void hf_bus_programs_take_back(HfBusPrograms *programs)
{
    hf_call_batch_run(programs->pings);
}
