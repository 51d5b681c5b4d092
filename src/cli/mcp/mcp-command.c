/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast mcp`: serves MCP over standard input and output, prints what profiles cost, and
 * installs itself in clients. Serving is a pipe that survives the end of a desk. For that it
 * remembers which requests wait for an answer, so that none waits for ever, and what a legacy
 * client has said about itself, so that the next desk can be told the same. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/mcp/mcp-install.h"
#include "cli/mcp/token-estimate.h"
#include "cli/print.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"

typedef struct HfMcpStdioOptions {
    const char *profile; /* NULL: the default */
    const char *desktop; /* NULL: main */
} HfMcpStdioOptions;

#define START_LIMIT_MS 40000
/* The socket's file exists a moment before it accepts connections. */
#define LOOK_AGAIN_MS 50

/* In the child. */
static void detach_session(gpointer data)
{
    setsid();
}

static gboolean start_desk(const char *runtime, GError **error)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *log = g_build_filename(runtime, "desk.log", NULL);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const char *arguments[] = {program, "serve", NULL};
    g_autoptr(GError) failed = NULL;
    gboolean started = program && out >= 0 &&
                       g_spawn_async_with_fds(NULL, (char **)arguments, NULL, G_SPAWN_DEFAULT,
                                              detach_session, NULL, NULL, in, out, out, &failed);
    if (out >= 0)
        close(out);
    if (in >= 0)
        close(in);
    if (!started)
        return hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING, "cannot start a desk: %s",
                       failed ? failed->message : g_strerror(errno));
    fprintf(stderr, _("handfast mcp: started a desk; its log is %s\n"), log);
    return TRUE;
}

/* Waits until something changes in the directory, or it is time to look again anyway. */
static void wait_a_little(int watch)
{
    char events[4096];
    struct pollfd fd = {watch, POLLIN, 0};
    if (poll(&fd, 1, LOOK_AGAIN_MS) > 0)
        (void)!read(watch, events, sizeof events);
}

static int connect_or_start(GError **error)
{
    int fd = hf_cli_connect(0, NULL);
    if (fd >= 0)
        return fd;
    g_autofree char *runtime = hf_path_ensure_runtime(error);
    if (!runtime)
        return -1;
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    inotify_add_watch(watch, runtime, IN_CREATE);
    gint64 until = g_get_monotonic_time() + (gint64)START_LIMIT_MS * 1000;
    gboolean started = start_desk(runtime, error);
    while (started && (fd = hf_cli_connect(0, NULL)) < 0 && g_get_monotonic_time() < until)
        wait_a_little(watch);
    close(watch);
    if (started && fd < 0)
        hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING,
                "a desk was started, but cannot be reached: see %s/desk.log", runtime);
    return fd;
}

/* Byte by byte, because what follows the line is MCP and not ours to read. */
static GString *read_mcp_line(int fd)
{
    GString *line = g_string_new(NULL);
    char byte;
    ssize_t got;
    while ((got = recv(fd, &byte, 1, 0)) == 1 || (got < 0 && errno == EINTR)) {
        if (got == 1 && byte == '\n')
            return line;
        if (got == 1)
            g_string_append_c(line, byte);
    }
    return line;
}

static gboolean check_answer(const GString *line, GError **error)
{
    g_autoptr(json_t) reply = json_loadb(line->str, line->len, 0, NULL);
    const json_t *result = json_object_get(reply, "result");
    if (hf_json_bool(result, "ok", FALSE))
        return TRUE;
    const json_t *refusal = json_object_get(result, "error");
    if (!refusal)
        refusal = json_object_get(json_object_get(reply, "error"), "data");
    if (refusal)
        g_propagate_error(error, hf_error_new_from_json(refusal));
    else
        hf_fail(error, HF_ERROR_DESKTOP_HOST_NOT_RUNNING, "the desk did not answer");
    return FALSE;
}

static int open_mcp_connection(json_t *take_params, GError **error)
{
    g_autoptr(json_t) request = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", 1,
                                          "method", "mcp.open", "params", take_params);
    g_autofree char *dump = hf_json_dump(request);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    int fd = connect_or_start(error);
    if (fd < 0)
        return -1;
    (void)!send(fd, line, strlen(line), MSG_NOSIGNAL);
    if (hf_cli_wait_for_desk(fd, error)) {
        g_autoptr(GString) answer = read_mcp_line(fd);
        if (check_answer(answer, error))
            return fd;
    }
    close(fd);
    return -1;
}

/* How long to wait for the last answers after the client has closed its end. */
#define LAST_ANSWERS_MS 2000
#define RPC_ERROR       (-32603)
#define RPC_TOO_LONG    (-32600)
#define REPLAY_PREFIX   "handfast-replay-"

typedef struct Pipe {
    const HfMcpStdioOptions *options;
    int desk; /* -1: none */
    GByteArray *from_client, *from_desk;
    gboolean too_long;   /* skip the rest of a line that was refused */
    GHashTable *waiting; /* ids that the client waits for, as text */
    GPtrArray *session;  /* json_t: what the next desk must be told first */
    guint replays;
    gboolean broken; /* nobody reads our output */
} Pipe;

/* ---- writing ---- */

static gboolean write_stdio_bytes(int fd, const void *bytes, gsize length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t done = write(fd, at, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return FALSE;
        at += done;
        length -= (gsize)done;
    }
    return TRUE;
}

static void send_to_client(Pipe *pipe, const void *bytes, gsize length)
{
    if (!write_stdio_bytes(STDOUT_FILENO, bytes, length))
        pipe->broken = TRUE;
}

static void send_error_to_client(Pipe *pipe, const char *id, int code, const char *message)
{
    g_autoptr(json_t) text = hf_json_text(message);
    char *quoted = json_dumps(text, JSON_ENCODE_ANY);
    g_autofree char *line =
        g_strdup_printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":%s}}\n",
                        id, code, quoted);
    free(quoted);
    send_to_client(pipe, line, strlen(line));
}

static gboolean send_json_to_desk(Pipe *pipe, const json_t *message)
{
    g_autofree char *dump = hf_json_dump(message);
    g_autofree char *line = g_strconcat(dump, "\n", NULL);
    return write_stdio_bytes(pipe->desk, line, strlen(line));
}

/* ---- the desk ---- */

static void lose_desk(Pipe *pipe)
{
    GHashTableIter iter;
    gpointer id;
    close(pipe->desk);
    pipe->desk = -1;
    g_byte_array_set_size(pipe->from_desk, 0);
    g_hash_table_iter_init(&iter, pipe->waiting);
    while (g_hash_table_iter_next(&iter, &id, NULL))
        if (!g_str_has_prefix(id, "\"" REPLAY_PREFIX))
            send_error_to_client(pipe, id, RPC_ERROR,
                                 "OUTCOME_UNKNOWN: the desk ended before it answered. The action "
                                 "may have happened; look at the screen before you repeat it");
    g_hash_table_remove_all(pipe->waiting);
}

static void replay_session(Pipe *pipe)
{
    for (guint i = 0; i < pipe->session->len; i++) {
        g_autoptr(json_t) message = json_deep_copy(pipe->session->pdata[i]);
        if (json_object_get(message, "id")) {
            g_autofree char *id = g_strdup_printf(REPLAY_PREFIX "%u", ++pipe->replays);
            json_object_set_new(message, "id", json_string(id));
            g_hash_table_add(pipe->waiting, g_strdup_printf("\"%s\"", id));
        }
        send_json_to_desk(pipe, message);
    }
}

static gboolean ensure_desk_connection(Pipe *pipe, GError **error)
{
    if (pipe->desk >= 0)
        return TRUE;
    json_t *params = json_object();
    if (pipe->options->profile)
        json_object_set_new(params, "profile", json_string(pipe->options->profile));
    if (pipe->options->desktop)
        json_object_set_new(params, "desktop", json_string(pipe->options->desktop));
    pipe->desk = open_mcp_connection(params, error);
    if (pipe->desk < 0)
        return FALSE;
    replay_session(pipe);
    return TRUE;
}

/* The id that a line of the desk answers, as text, or NULL. Our desk writes it first, so a picture
 * need not be parsed. */
static char *dup_answered(const char *line, gsize length)
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    gsize begin = sizeof head - 1;
    if (length <= begin || memcmp(line, head, begin) != 0)
        return NULL;
    gsize room = MIN(length - begin, (gsize)4096);
    g_autofree char *rest = g_strndup(line + begin, room);
    char *result = strstr(rest, ",\"result\":"), *failure = strstr(rest, ",\"error\":");
    char *end = !result ? failure : !failure ? result : MIN(result, failure);
    return end ? g_strndup(rest, (gsize)(end - rest)) : NULL;
}

static void take_desk_line(Pipe *pipe, const char *line, gsize length)
{
    g_autofree char *id = dup_answered(line, length);
    if (id)
        g_hash_table_remove(pipe->waiting, id);
    if (!id || !g_str_has_prefix(id, "\"" REPLAY_PREFIX))
        send_to_client(pipe, line, length + 1);
}

/* Passes on the complete lines of a buffer, each with its newline. */
static void split_stdio_lines(Pipe *pipe, GByteArray *buffer,
                              void (*take)(Pipe *pipe, const char *line, gsize length))
{
    gsize done = 0;
    const guint8 *end;
    while (done < buffer->len && (end = memchr(buffer->data + done, '\n', buffer->len - done))) {
        gsize length = (gsize)(end - buffer->data) - done;
        take(pipe, (const char *)buffer->data + done, length);
        done += length + 1;
    }
    g_byte_array_remove_range(buffer, 0, (guint)done);
}

/* ---- the client ---- */

static gboolean is_method(const json_t *message, const char *method)
{
    return strcmp(hf_json_string(message, "method", ""), method) == 0;
}

/* Whether the later message replaces the earlier one. */
static gboolean supersedes_message(const json_t *later, const json_t *earlier)
{
    const char *uri = hf_json_string(json_object_get(later, "params"), "uri", "");
    const char *before = hf_json_string(json_object_get(earlier, "params"), "uri", "");
    return is_method(later, hf_json_string(earlier, "method", "")) && strcmp(uri, before) == 0;
}

static void forget_subscription(Pipe *pipe, const json_t *message)
{
    const char *uri = hf_json_string(json_object_get(message, "params"), "uri", "");
    for (guint i = pipe->session->len; i-- > 0;) {
        const json_t *each = pipe->session->pdata[i];
        if (is_method(each, "resources/subscribe") &&
            strcmp(hf_json_string(json_object_get(each, "params"), "uri", ""), uri) == 0)
            g_ptr_array_remove_index(pipe->session, i);
    }
}

/* Keeps the messages that make up a session. */
static void remember_session_message(Pipe *pipe, json_t *message)
{
    static const char *const kept[] = {"initialize", "notifications/initialized",
                                       "logging/setLevel", "resources/subscribe", NULL};
    if (is_method(message, "resources/unsubscribe"))
        forget_subscription(pipe, message);
    if (!g_strv_contains(kept, hf_json_string(message, "method", "")))
        return;
    for (guint i = pipe->session->len; i-- > 0;)
        if (supersedes_message(message, pipe->session->pdata[i]))
            g_ptr_array_remove_index(pipe->session, i);
    if (pipe->session->len < HF_LIMIT_MCP_SUBSCRIPTIONS + G_N_ELEMENTS(kept))
        g_ptr_array_add(pipe->session, json_incref(message));
}

static void take_client_line(Pipe *pipe, const char *line, gsize length)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) message = json_loadb(line, length, 0, NULL);
    const json_t *id = json_object_get(message, "id");
    gboolean request = id && json_object_get(message, "method");
    g_autofree char *key = hf_json_dump(id ? id : json_null());
    if (pipe->too_long || length == 0 || (length == 1 && *line == '\r')) {
        pipe->too_long = FALSE;
        return;
    }
    if (!ensure_desk_connection(pipe, &error)) {
        g_autofree char *text =
            g_strdup_printf("%s: %s", hf_error_code_name(hf_error_code(error)), error->message);
        fprintf(stderr, "handfast mcp: %s\n", text);
        if (request || !message)
            send_error_to_client(pipe, request ? key : "null", RPC_ERROR, text);
        return;
    }
    if (request)
        g_hash_table_add(pipe->waiting, g_strdup(key));
    if (!write_stdio_bytes(pipe->desk, line, length + 1)) {
        lose_desk(pipe);
        return;
    }
    if (json_is_object(message))
        remember_session_message(pipe, message);
}

static void refuse_long(Pipe *pipe)
{
    if (pipe->from_client->len <= HF_LIMIT_REQUEST_BYTES - 1)
        return;
    if (!pipe->too_long)
        send_error_to_client(pipe, "null", RPC_TOO_LONG, "the message is too long");
    pipe->too_long = TRUE;
    g_byte_array_set_size(pipe->from_client, 0);
}

/* ---- both ---- */

/* FALSE at the end of the input. */
static gboolean read_some(int fd, GByteArray *buffer)
{
    static guint8 piece[256 * 1024];
    ssize_t got = read(fd, piece, sizeof piece);
    if (got > 0)
        g_byte_array_append(buffer, piece, (guint)got);
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

static void receive_from_desk(Pipe *pipe)
{
    gboolean goes_on = read_some(pipe->desk, pipe->from_desk);
    split_stdio_lines(pipe, pipe->from_desk, take_desk_line);
    if (!goes_on)
        lose_desk(pipe);
}

static gboolean receive_from_client(Pipe *pipe)
{
    gboolean goes_on = read_some(STDIN_FILENO, pipe->from_client);
    split_stdio_lines(pipe, pipe->from_client, take_client_line);
    refuse_long(pipe);
    return goes_on;
}

static void run_stdio_loop(Pipe *pipe)
{
    gboolean open = TRUE;
    gint64 until = 0;
    while (!pipe->broken && (open || g_hash_table_size(pipe->waiting) > 0)) {
        gint64 left = open ? -1 : (until - g_get_monotonic_time()) / 1000;
        if (!open && left <= 0)
            break;
        struct pollfd fds[] = {{open ? STDIN_FILENO : -1, POLLIN, 0}, {pipe->desk, POLLIN, 0}};
        if (poll(fds, 2, (int)left) < 0 && errno != EINTR)
            break;
        if (fds[1].revents)
            receive_from_desk(pipe);
        if (fds[0].revents && !receive_from_client(pipe)) {
            open = FALSE;
            until = g_get_monotonic_time() + LAST_ANSWERS_MS * 1000;
        }
    }
}

/* Runs until the client closes its end. The first message finds or starts the desk, and again
 * after it has ended. Returns the exit status. */
static int mcp_stdio_run(const HfMcpStdioOptions *options)
{
    Pipe pipe = {.options = options, .desk = -1};
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    pipe.from_client = g_byte_array_new();
    pipe.from_desk = g_byte_array_new();
    pipe.waiting = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    pipe.session = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
    run_stdio_loop(&pipe);
    if (pipe.desk >= 0)
        close(pipe.desk);
    g_byte_array_unref(pipe.from_client);
    g_byte_array_unref(pipe.from_desk);
    g_hash_table_unref(pipe.waiting);
    g_ptr_array_unref(pipe.session);
    return pipe.broken ? HF_EXIT_FAILED : HF_EXIT_OK;
}

static json_t *cost_of(const char *profile)
{
    g_autoptr(json_t) tools = hf_profile_list_tools(profile);
    g_autofree char *text = hf_json_dump(tools);
    gsize listed = hf_token_estimate(text);
    gsize instructions = hf_token_estimate(hf_profile_get_instructions(profile));
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s}", "profile", profile, "tools",
                     (int)json_array_size(tools), "listing", (int)listed, "instructions",
                     (int)instructions, "tokens", (int)(listed + instructions), "about",
                     _(hf_profile_get_about(profile)));
}

static int print_cost(const char *profile)
{
    static const char *const columns[] = {"profile", "tools", "listing", "instructions",
                                          "tokens",  "about", NULL};
    g_autoptr(json_t) rows = json_array();
    for (const char *const *name = hf_profile_names(); *name; name++)
        if (!profile || strcmp(profile, *name) == 0)
            json_array_append_new(rows, cost_of(*name));
    if (hf_print_is_json())
        hf_print_json(rows);
    else
        hf_print_table(rows, columns);
    return HF_EXIT_OK;
}

static int install_client(const char *client, const char *profile, gboolean only_print)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *path = hf_mcp_install_path(client), *backup = NULL;
    if (only_print) {
        g_autofree char *text = hf_mcp_install_text(client, program, profile);
        fprintf(stderr, _("for %s:\n"), path);
        fputs(text, stdout);
        return HF_EXIT_OK;
    }
    if (!hf_mcp_install(client, program, profile, &backup, &error)) {
        hf_print_gerror(error);
        return HF_EXIT_FAILED;
    }
    if (hf_print_is_json()) {
        g_autoptr(json_t) result =
            json_pack("{s:s, s:o, s:o}", "client", client, "file", hf_json_text(path), "backup",
                      backup ? hf_json_text(backup) : json_null());
        hf_print_json(result);
        return HF_EXIT_OK;
    }
    printf(_("%s can use Handfast now (%s)\n"), client, path);
    if (backup)
        printf(_("backup of the old file: %s\n"), backup);
    return HF_EXIT_OK;
}

int hf_command_mcp(const HfCommandArguments *words)
{
    const char *profile = hf_command_arguments_get(words, "profile");
    if (hf_command_arguments_is(words, "install"))
        return install_client(hf_command_arguments_positional(words, 1), profile,
                              hf_command_arguments_has(words, "print"));
    if (hf_command_arguments_has(words, "cost"))
        return print_cost(profile);
    return mcp_stdio_run(&(HfMcpStdioOptions){profile, hf_command_arguments_get(words, "desktop")});
}
