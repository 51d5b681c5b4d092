/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/bus/bus-connection.c and src/hand/atspi/bus/call-batch.c: a program at the
 * other end of a socket that answers, refuses, answers something else, says nothing, or goes away.
 */
#include <sys/socket.h>

#include "hand/atspi/bus/call-batch.h"

typedef struct Program {
    GMainContext *context;
    GMainLoop *loop;
    GThread *thread;
    GSocketConnection *stream;
    GDBusConnection *connection;
    gint silent; /* questions that were not answered */
} Program;

static void on_call(GDBusConnection *connection, const char *sender, const char *path,
                    const char *interface, const char *method, GVariant *arguments,
                    GDBusMethodInvocation *invocation, gpointer data)
{
    Program *program = data;
    int number;
    g_variant_get(arguments, "(i)", &number);
    if (g_strcmp0(method, "Double") == 0) {
        g_dbus_method_invocation_return_value(invocation, g_variant_new("(i)", 2 * number));
    } else if (g_strcmp0(method, "Refuse") == 0) {
        g_dbus_method_invocation_return_dbus_error(invocation, "x.No", "no");
    } else {
        g_atomic_int_inc(&program->silent);
        g_object_unref(invocation);
    }
}

static GVariant *on_get(GDBusConnection *connection, const char *sender, const char *path,
                        const char *interface, const char *property, GError **error, gpointer data)
{
    return g_variant_new_string("seven");
}

static const char description[] =
    "<node><interface name='x.T'>"
    "<method name='Double'><arg type='i' direction='in'/><arg type='i' direction='out'/></method>"
    "<method name='Refuse'><arg type='i' direction='in'/><arg type='i' direction='out'/></method>"
    "<method name='Silent'><arg type='i' direction='in'/><arg type='i' direction='out'/></method>"
    "<property name='Name' type='s' access='read'/></interface></node>";

static gpointer run(gpointer data)
{
    Program *program = data;
    static const GDBusInterfaceVTable table = {.method_call = on_call, .get_property = on_get};
    g_main_context_push_thread_default(program->context);
    g_autofree char *guid = g_dbus_generate_guid();
    g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(description, NULL);
    program->connection =
        g_dbus_connection_new_sync(G_IO_STREAM(program->stream), guid,
                                   G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER |
                                       G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_ALLOW_ANONYMOUS |
                                       G_DBUS_CONNECTION_FLAGS_DELAY_MESSAGE_PROCESSING,
                                   NULL, NULL, NULL);
    g_dbus_connection_register_object(program->connection, "/t", node->interfaces[0], &table,
                                      program, NULL, NULL);
    /* Only now: a question that is read before there is anybody to answer it is refused. */
    g_dbus_connection_start_message_processing(program->connection);
    g_main_loop_run(program->loop);
    g_main_context_pop_thread_default(program->context);
    return NULL;
}

static GSocketConnection *wrap(int fd)
{
    g_autoptr(GSocket) socket = g_socket_new_from_fd(fd, NULL);
    return g_socket_connection_factory_create_connection(socket);
}

static HfBusConnection *start(Program *program, HfBusSignalHandler heard, gpointer data)
{
    int ends[2];
    g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
    *program = (Program){.context = g_main_context_new(), .stream = wrap(ends[0])};
    program->loop = g_main_loop_new(program->context, FALSE);
    program->thread = g_thread_new("program", run, program);
    g_autoptr(GSocketConnection) ours = wrap(ends[1]);
    GDBusConnection *connection = g_dbus_connection_new_sync(
        G_IO_STREAM(ours), NULL, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL, NULL, NULL);
    g_assert_nonnull(connection);
    return hf_bus_connection_new(connection, heard, data);
}

static gboolean quit(gpointer loop)
{
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static void stop(Program *program)
{
    g_main_context_invoke(program->context, quit, program->loop);
    g_thread_join(program->thread);
    g_dbus_connection_close_sync(program->connection, NULL, NULL);
    g_object_unref(program->connection);
    g_object_unref(program->stream);
    g_main_loop_unref(program->loop);
    g_main_context_unref(program->context);
}

/* What came of calls: index → answer; -1: none or something else. */
typedef struct Heard {
    int answers[3000];
    int count;
} Heard;

static void on_number(gpointer owner, int index, GVariant *body)
{
    Heard *heard = owner;
    heard->answers[index] = -1;
    heard->count++;
    if (body)
        g_variant_get(body, "(i)", &heard->answers[index]);
}

static void ask(HfCallBatch *batch, HfBusConnection *line, const char *method, int index,
                Heard *heard)
{
    HfBatchCall call = {.connection = line,
                        .path = "/t",
                        .interface = "x.T",
                        .method = method,
                        .arguments = g_variant_new("(i)", index),
                        .reply_type = "(i)",
                        .done = on_number,
                        .owner = heard,
                        .index = index};
    hf_call_batch_call(batch, &call);
}

/* More than may be under way at a time. */
static void test_many(void)
{
    Program program;
    g_autoptr(HfBusConnection) line = start(&program, NULL, NULL);
    g_autofree Heard *heard = g_new0(Heard, 1);
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(&deadline);
    for (int i = 0; i < 3000; i++)
        ask(batch, line, i % 100 == 7 ? "Refuse" : "Double", i, heard);
    g_assert_true(hf_call_batch_run(batch));
    for (int i = 0; i < 3000; i++)
        g_assert_cmpint(heard->answers[i], ==, i % 100 == 7 ? -1 : 2 * i);
    g_assert_cmpuint(hf_call_batch_count_calls(batch), ==, 3000);
    g_assert_cmpuint(hf_call_batch_count_open(batch, heard), ==, 0);
    g_clear_pointer(&batch, hf_call_batch_free);
    stop(&program);
}

static void on_name(gpointer owner, int index, GVariant *value)
{
    *(char **)owner = value ? g_variant_dup_string(value, NULL) : NULL;
}

static void test_property_and_wrong_type(void)
{
    Program program;
    g_autoptr(HfBusConnection) line = start(&program, NULL, NULL);
    g_autofree Heard *heard = g_new0(Heard, 1);
    g_autofree char *name = NULL;
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(&deadline);
    HfBatchCall call = {.connection = line, .path = "/t", .interface = "x.T", .owner = &name};
    call.done = on_name;
    hf_call_batch_get(batch, &call, "Name");
    HfBatchCall odd = {.connection = line,
                       .path = "/t",
                       .interface = "x.T",
                       .method = "Double",
                       .arguments = g_variant_new("(i)", 1),
                       .reply_type = "(s)",
                       .done = on_number,
                       .owner = heard};
    hf_call_batch_call(batch, &odd);
    g_assert_true(hf_call_batch_run(batch));
    g_assert_cmpstr(name, ==, "seven");
    g_assert_cmpint(heard->answers[0], ==, -1);
    g_clear_pointer(&batch, hf_call_batch_free);
    stop(&program);
}

/* One that says nothing costs the time limit; the others have their answers. */
static void test_silence(void)
{
    Program program;
    g_autoptr(HfBusConnection) line = start(&program, NULL, NULL);
    g_autofree Heard *heard = g_new0(Heard, 1);
    HfDeadline deadline = hf_deadline_in_ms(300, NULL);
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(&deadline);
    ask(batch, line, "Silent", 0, heard);
    ask(batch, line, "Double", 1, heard);
    gint64 began = g_get_monotonic_time();
    g_assert_false(hf_call_batch_run(batch));
    g_assert_cmpint(g_get_monotonic_time() - began, >=, 250000);
    g_assert_cmpint(heard->answers[1], ==, 2);
    g_assert_cmpint(heard->count, ==, 1);
    g_assert_cmpuint(hf_call_batch_count_open(batch, heard), ==, 1);
    g_clear_pointer(&batch, hf_call_batch_free);
    stop(&program);
}

static gpointer fail_later(gpointer data)
{
    g_usleep(50000);
    hf_bus_connection_fail_calls(data);
    return NULL;
}

/* The program is gone: nobody waits for its answers. */
static void test_gone(void)
{
    Program program;
    g_autoptr(HfBusConnection) line = start(&program, NULL, NULL);
    g_autofree Heard *heard = g_new0(Heard, 1);
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(&deadline);
    ask(batch, line, "Silent", 0, heard);
    GThread *thread = g_thread_new("fail", fail_later, line);
    g_assert_true(hf_call_batch_run(batch));
    g_thread_join(thread);
    ask(batch, line, "Double", 1, heard);
    g_assert_true(hf_call_batch_run(batch));
    g_assert_cmpint(heard->count, ==, 2);
    g_assert_cmpint(heard->answers[0], ==, -1);
    g_assert_cmpint(heard->answers[1], ==, -1);
    g_clear_pointer(&batch, hf_call_batch_free);
    stop(&program);
}

static void note_signal(GDBusMessage *message, gpointer data)
{
    g_atomic_int_inc((gint *)data);
}

/* Signals are heard until the line is hung up, which the other side notices by itself. */
static void test_signals_and_hanging_up(void)
{
    Program program;
    gint signals = 0;
    g_autoptr(HfBusConnection) line = start(&program, note_signal, &signals);
    g_autofree Heard *heard = g_new0(Heard, 1);
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(&deadline);
    ask(batch, line, "Double", 1, heard);
    g_assert_true(hf_call_batch_run(batch));
    g_dbus_connection_emit_signal(program.connection, NULL, "/t", "x.T", "Changed", NULL, NULL);
    while (g_atomic_int_get(&signals) == 0)
        g_usleep(1000);
    g_assert_true(hf_bus_connection_is_open(line));
    hf_bus_connection_close(line);
    while (!g_dbus_connection_is_closed(program.connection))
        g_usleep(1000);
    while (hf_bus_connection_is_open(line))
        g_usleep(1000);
    g_clear_pointer(&batch, hf_call_batch_free);
    stop(&program);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-line/many", test_many);
    g_test_add_func("/access-line/property-and-wrong-type", test_property_and_wrong_type);
    g_test_add_func("/access-line/silence", test_silence);
    g_test_add_func("/access-line/gone", test_gone);
    g_test_add_func("/access-line/signals-and-hanging-up", test_signals_and_hanging_up);
    return g_test_run();
}
