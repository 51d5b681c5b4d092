/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/bus/dbus-message.c and src/hand/atspi/bus/dbus-socket.c: what we write is
 * what GDBus understands, what GDBus writes is understood, and bytes that are no message do no
 * harm. */
#include "hand/atspi/bus/dbus-socket.h"

#include <gio/gio.h>
#include <string.h>

#include "hand/atspi/bus/call-batch.h"

static GVariant *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    GVariant *value = g_variant_parse(NULL, text, NULL, NULL, &error);
    g_assert_no_error(error);
    return value;
}

static const char *const bodies[] = {
    "()",
    "(@u 7,)",
    "(-3, 4)",
    "('a', 'b')",
    "(1.5,)",
    "(<'boxed'>,)",
    "(<(1, 2.5, true)>,)",
    "([(':1.2', objectpath '/a'), (':1.3', '/b')],)",
    "(@a(so) [],)",
    "(byte 0x07, @q 3, @x -5, 'end')",
    "({'key': <3>, 'other': <'x'>},)",
    "(([1, 0], 1, @a{ss} {}, 1, @ai [], 1, @as [], 1, false), @u 1, 400, false)",
    "([((':1.2','/b'),(':1.2','/r'),(':1.2','/t'),1,0,['x.A','x.B'],'n',@u 43,'',[@u 1, 2])],)",
};

static void test_written_for_gdbus(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autoptr(GVariant) body = parse(bodies[i]);
        HfDbusCall call = {i % 2 ? ":1.7" : NULL, "/some/where", "x.y.Z", "Do"};
        g_autoptr(GByteArray) bytes = hf_dbus_message_write(&call, body);
        hf_dbus_message_set_serial(bytes, 12 + (guint32)i);
        g_assert_cmpint(hf_dbus_message_measure(bytes->data, bytes->len), ==, (gssize)bytes->len);
        g_autoptr(GError) error = NULL;
        g_autoptr(GDBusMessage) message = g_dbus_message_new_from_blob(
            bytes->data, bytes->len, G_DBUS_CAPABILITY_FLAGS_NONE, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(g_dbus_message_get_serial(message), ==, 12 + i);
        g_assert_cmpstr(g_dbus_message_get_path(message), ==, "/some/where");
        g_assert_cmpstr(g_dbus_message_get_interface(message), ==, "x.y.Z");
        g_assert_cmpstr(g_dbus_message_get_member(message), ==, "Do");
        g_assert_cmpstr(g_dbus_message_get_destination(message), ==, call.destination);
        GVariant *got = g_dbus_message_get_body(message);
        if (g_variant_n_children(body) > 0)
            g_assert_cmpvariant(got, body);
    }
}

static GBytes *answer_of(const char *text, gboolean refuse)
{
    g_autoptr(GDBusMessage) question = g_dbus_message_new_method_call(NULL, "/p", "x.I", "M");
    g_dbus_message_set_serial(question, 77);
    g_autoptr(GDBusMessage) answer =
        refuse ? g_dbus_message_new_method_error(question, "x.No", "because of %d", 1)
               : g_dbus_message_new_method_reply(question);
    g_dbus_message_set_serial(answer, 5);
    g_autoptr(GVariant) body = refuse ? NULL : parse(text);
    if (body)
        g_dbus_message_set_body(answer, body);
    gsize size;
    guchar *bytes = g_dbus_message_to_blob(answer, &size, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
    return g_bytes_new_take(bytes, size);
}

static void test_read_from_gdbus(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autoptr(GVariant) body = parse(bodies[i]);
        g_autoptr(GBytes) bytes = answer_of(bodies[i], FALSE);
        gsize size;
        const guint8 *data = g_bytes_get_data(bytes, &size);
        HfDbusReply answer;
        for (gsize part = 0; part < size; part++)
            g_assert_true(hf_dbus_message_measure(data, part) == 0 ||
                          hf_dbus_message_measure(data, part) == (gssize)size);
        g_assert_true(hf_dbus_message_read(data, size, &answer));
        g_assert_cmpuint(answer.serial, ==, 77);
        g_autoptr(GVariant) got = hf_dbus_reply_decode(&answer);
        g_assert_cmpvariant(got, body);
        g_autoptr(GVariant) raw = hf_dbus_reply_dup_bytes(&answer);
        const char *signature;
        g_variant_get_child(raw, 0, "&s", &signature);
        g_autofree char *type = g_strdup_printf("(%s)", signature);
        g_assert_cmpstr(type, ==, g_variant_get_type_string(body));
    }
}

static void test_refusal(void)
{
    g_autoptr(GBytes) bytes = answer_of(NULL, TRUE);
    HfDbusReply answer;
    g_assert_true(
        hf_dbus_message_read(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), &answer));
    g_assert_cmpuint(answer.serial, ==, 77);
    g_assert_null(hf_dbus_reply_decode(&answer));
    g_assert_null(hf_dbus_reply_dup_bytes(&answer));
}

/* Every byte of an answer changed in many ways: whatever comes of it, nothing is read beyond its
 * end (the sanitizer sees to that), and nothing takes for ever. */
static void test_hostile(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autoptr(GBytes) bytes = answer_of(bodies[i], FALSE);
        gsize size = g_bytes_get_size(bytes);
        for (gsize at = 0; at < size; at++) {
            static const guint8 values[] = {0, 1, 7, 8, 0x7f, 0x80, 0xff, 'a', '(', ')', 'v', 'y'};
            for (gsize k = 0; k < G_N_ELEMENTS(values); k++) {
                g_autofree guint8 *copy = g_memdup2(g_bytes_get_data(bytes, NULL), size);
                HfDbusReply answer = {0};
                copy[at] = values[k];
                gssize length = hf_dbus_message_measure(copy, size);
                if (length != (gssize)size || !hf_dbus_message_read(copy, size, &answer))
                    continue;
                g_autoptr(GVariant) body = hf_dbus_reply_decode(&answer);
            }
        }
    }
}

/* An array of things without size, which would never end, and one that is longer than it says. */
static void test_endless(void)
{
    HfDbusCall call = {NULL, "/p", "x.I", "M"};
    g_autoptr(GByteArray) bytes = hf_dbus_message_write(&call, g_variant_new("(ay)", NULL));
    g_assert_cmpint(hf_dbus_message_measure(bytes->data, bytes->len), >, 0);
    bytes->data[4] = 0xff;
    bytes->data[7] = 0x7f;
    g_assert_cmpint(hf_dbus_message_measure(bytes->data, bytes->len), ==, -1);
    bytes->data[0] = 'x';
    g_assert_cmpint(hf_dbus_message_measure(bytes->data, bytes->len), ==, -1);
}

/* ---- a program that listens on a socket of its own ---- */

static void on_call(GDBusConnection *connection, const char *sender, const char *path,
                    const char *interface, const char *method, GVariant *arguments,
                    GDBusMethodInvocation *invocation, gpointer data)
{
    int number;
    g_variant_get(arguments, "(i)", &number);
    if (number < 0)
        g_dbus_connection_close_sync(connection, NULL, NULL);
    g_dbus_method_invocation_return_value(invocation, g_variant_new("(i)", 2 * number));
}

static gboolean on_connection(GDBusServer *server, GDBusConnection *connection, gpointer data)
{
    static const GDBusInterfaceVTable table = {.method_call = on_call};
    g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(
        "<node><interface name='x.T'><method name='Double'><arg type='i' direction='in'/>"
        "<arg type='i' direction='out'/></method></interface></node>",
        NULL);
    g_dbus_connection_register_object(g_object_ref(connection), "/t", node->interfaces[0], &table,
                                      NULL, NULL, NULL);
    return TRUE;
}

typedef struct Program {
    GMainContext *context;
    GMainLoop *loop;
    GDBusServer *server;
    char *address;
    GMutex lock;
    GCond ready;
} Program;

static gpointer run(gpointer data)
{
    Program *program = data;
    g_main_context_push_thread_default(program->context);
    g_autofree char *guid = g_dbus_generate_guid();
    g_autofree char *where = g_dir_make_tmp("wire-XXXXXX", NULL);
    g_autofree char *address = g_strdup_printf("unix:path=%s/socket", where);
    program->server =
        g_dbus_server_new_sync(address, G_DBUS_SERVER_FLAGS_NONE, guid, NULL, NULL, NULL);
    g_signal_connect(program->server, "new-connection", G_CALLBACK(on_connection), NULL);
    g_dbus_server_start(program->server);
    g_mutex_lock(&program->lock);
    program->address = g_strdup(address);
    g_cond_signal(&program->ready);
    g_mutex_unlock(&program->lock);
    g_main_loop_run(program->loop);
    g_dbus_server_stop(program->server);
    g_object_unref(program->server);
    g_main_context_pop_thread_default(program->context);
    return NULL;
}

static void on_number(gpointer owner, int index, GVariant *body)
{
    int number = -1;
    if (body)
        g_variant_get(body, "(i)", &number);
    g_array_append_val((GArray *)owner, number);
}

static void ask(HfCallBatch *batch, HfBusConnection *line, int number, GArray *numbers)
{
    HfBatchCall call = {.connection = line,
                        .path = "/t",
                        .interface = "x.T",
                        .method = "Double",
                        .arguments = g_variant_new("(i)", number),
                        .reply_type = "(i)",
                        .done = on_number,
                        .owner = numbers};
    hf_call_batch_call(batch, &call);
}

/* Thousands at a time, and then the program goes away in the middle of a question. */
static void test_conversation(void)
{
    Program program = {.context = g_main_context_new()};
    program.loop = g_main_loop_new(program.context, FALSE);
    g_mutex_init(&program.lock);
    g_cond_init(&program.ready);
    GThread *thread = g_thread_new("program", run, &program);
    g_mutex_lock(&program.lock);
    while (!program.address)
        g_cond_wait(&program.ready, &program.lock);
    g_mutex_unlock(&program.lock);

    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_assert_null(hf_dbus_socket_join_bus(program.address, &deadline)); /* which is no bus */
    HfDbusSocket *wire = hf_dbus_socket_connect(program.address, &deadline);
    g_assert_nonnull(wire);
    HfBusConnection *line = hf_bus_connection_new_socket(wire);
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(int));
    HfCallBatch *batch = hf_call_batch_new(&deadline);
    for (int i = 0; i < 3000; i++)
        ask(batch, line, i, numbers);
    g_assert_true(hf_call_batch_run(batch));
    g_assert_cmpuint(numbers->len, ==, 3000);
    for (int i = 0; i < 3000; i++)
        g_assert_cmpint(g_array_index(numbers, int, i), ==, 2 * i);
    g_assert_true(hf_bus_connection_is_open(line));
    ask(batch, line, -1, numbers);
    g_assert_true(hf_call_batch_run(batch));
    g_assert_cmpint(g_array_index(numbers, int, 3000), ==, -1);
    g_assert_false(hf_bus_connection_is_open(line));
    hf_call_batch_free(batch);
    hf_bus_connection_free(line);

    g_main_loop_quit(program.loop);
    g_thread_join(thread);
    g_main_loop_unref(program.loop);
    g_main_context_unref(program.context);
    g_mutex_clear(&program.lock);
    g_cond_clear(&program.ready);
    g_free(program.address);
}

/* ---- a bus ---- */

static void on_names(gpointer owner, int index, GVariant *body)
{
    g_assert_nonnull(body);
    *(GVariant **)owner = g_variant_ref(body);
}

/* A question to the bus itself, and one to somebody who is not there, which the bus answers. */
static void test_bus(void)
{
    g_autoptr(GTestDBus) bus = g_test_dbus_new(G_TEST_DBUS_NONE);
    g_test_dbus_up(bus);
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_autoptr(GVariant) names = NULL;
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(int));
    HfDbusSocket *wire = hf_dbus_socket_join_bus(g_test_dbus_get_bus_address(bus), &deadline);
    g_assert_nonnull(wire);
    HfBusConnection *line = hf_bus_connection_new_socket(wire);
    HfCallBatch *batch = hf_call_batch_new(&deadline);
    HfBatchCall call = {.connection = line,
                        .destination = "org.freedesktop.DBus",
                        .path = "/org/freedesktop/DBus",
                        .interface = "org.freedesktop.DBus",
                        .method = "ListNames",
                        .reply_type = "(as)",
                        .done = on_names,
                        .owner = &names};
    hf_call_batch_call(batch, &call);
    call.destination = "no.such.Name";
    call.reply_type = "(i)";
    call.done = on_number;
    call.owner = numbers;
    hf_call_batch_call(batch, &call);
    g_assert_true(hf_call_batch_run(batch));
    g_autofree char *told = g_variant_print(names, FALSE);
    g_assert_nonnull(strstr(told, "':1."));
    g_assert_cmpint(g_array_index(numbers, int, 0), ==, -1);
    hf_call_batch_free(batch);
    hf_bus_connection_free(line);
    g_test_dbus_down(bus);
}

static void test_nobody_there(void)
{
    HfDeadline deadline = hf_deadline_in_ms(2000, NULL);
    g_assert_null(hf_dbus_socket_connect("unix:path=/nowhere/at/all", &deadline));
    g_assert_null(hf_dbus_socket_connect("tcp:host=localhost", &deadline));
    g_assert_null(hf_dbus_socket_connect("", &deadline));
    g_assert_null(hf_dbus_socket_join_bus("unix:path=/nowhere/at/all", &deadline));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-wire/written-for-gdbus", test_written_for_gdbus);
    g_test_add_func("/access-wire/read-from-gdbus", test_read_from_gdbus);
    g_test_add_func("/access-wire/refusal", test_refusal);
    g_test_add_func("/access-wire/hostile", test_hostile);
    g_test_add_func("/access-wire/endless", test_endless);
    g_test_add_func("/access-wire/conversation", test_conversation);
    g_test_add_func("/access-wire/bus", test_bus);
    g_test_add_func("/access-wire/nobody-there", test_nobody_there);
    return g_test_run();
}
