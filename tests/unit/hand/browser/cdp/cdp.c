/* SPDX-License-Identifier: Apache-2.0 */
/* The line to a browser, with a browser that says what it is told to: answers in any order, errors,
 * what is no message at all, and a line that ends. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "hand/browser/browser-limits.h"
#include "hand/browser/cdp/cdp.h"
#include "shared/base/error.h"
#include "support/await.h"

/* Both ends of the two pipes, and what the line's owner has heard. */
typedef struct Line {
    HfCdp *cdp;
    int commands; /* what was said to the browser */
    int answers;  /* what it says */
    GAsyncQueue *heard;
    gint closed;
} Line;

static void on_event(const char *session, const char *method, const json_t *params, gpointer data)
{
    g_autofree char *text = params ? hf_json_dump(params) : g_strdup("-");
    g_async_queue_push(((Line *)data)->heard,
                       g_strdup_printf("%s %s %s", session ? session : "-", method, text));
}

static void on_closed(gpointer data)
{
    g_atomic_int_inc(&((Line *)data)->closed);
}

static void line_init(Line *line)
{
    int commands[2], answers[2];
    g_assert_cmpint(pipe2(commands, O_CLOEXEC), ==, 0);
    g_assert_cmpint(pipe2(answers, O_CLOEXEC), ==, 0);
    *line = (Line){.commands = commands[0], .answers = answers[1]};
    line->heard = g_async_queue_new_full(g_free);
    HfCdpListener listener = {on_event, on_closed, line};
    line->cdp = hf_cdp_new(answers[0], commands[1], &listener);
}

static void hang_up(Line *line)
{
    if (line->answers >= 0)
        close(line->answers);
    line->answers = -1;
}

static void line_clear(Line *line)
{
    hf_cdp_free(line->cdp);
    hang_up(line);
    close(line->commands);
    g_async_queue_unref(line->heard);
}

static void say_bytes(const Line *line, const char *bytes, gsize count)
{
    while (count > 0) {
        ssize_t written = write(line->answers, bytes, count);
        if (written <= 0)
            return;
        bytes += written;
        count -= (gsize)written;
    }
}

static void say(const Line *line, const char *message)
{
    say_bytes(line, message, strlen(message) + 1);
}

/* The next message that was said to the browser. */
static json_t *read_command(const Line *line)
{
    g_autoptr(GString) text = g_string_new(NULL);
    char byte;
    while (read(line->commands, &byte, 1) == 1 && byte)
        g_string_append_c(text, byte);
    return json_loadb(text->str, text->len, 0, NULL);
}

static HfDeadline soon(void)
{
    return hf_deadline_in_ms(TEST_PATIENCE_MS, NULL);
}

/* ---- what is said ---- */

static void test_commands(void)
{
    static const struct {
        const char *session, *method, *params, *said;
    } commands[] = {
        {NULL, "Browser.close", NULL, "{\"id\":1,\"method\":\"Browser.close\",\"params\":{}}"},
        {"S1", "Page.enable", "{\"a\":[1]}",
         "{\"id\":2,\"method\":\"Page.enable\",\"params\":{\"a\":[1]},\"sessionId\":\"S1\"}"},
        {"S1", "Input.insertText", "{\"text\":\"你好 \\\"\\n\"}",
         "{\"id\":3,\"method\":\"Input.insertText\",\"params\":{\"text\":\"你好 \\\"\\n\"},"
         "\"sessionId\":\"S1\"}"},
    };
    Line line;
    line_init(&line);
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        json_t *params = commands[i].params ? json_loads(commands[i].params, 0, NULL) : NULL;
        hf_cdp_begin(line.cdp, commands[i].session, commands[i].method, params);
        g_autoptr(json_t) said = read_command(&line);
        g_autoptr(json_t) wanted = json_loads(commands[i].said, 0, NULL);
        g_assert_true(json_equal(said, wanted));
    }
    /* What nobody waits for cannot be taken for an answer to something else. */
    hf_cdp_send(line.cdp, NULL, "Page.stop", NULL);
    g_autoptr(json_t) told = read_command(&line);
    g_assert_cmpint(hf_json_int(told, "id", 0), <, 0);
    line_clear(&line);
}

/* ---- what comes back ---- */

static void test_answers_in_any_order(void)
{
    static const int orders[][3] = {{1, 2, 3}, {3, 2, 1}, {2, 3, 1}, {3, 1, 2}};
    for (gsize i = 0; i < G_N_ELEMENTS(orders); i++) {
        Line line;
        HfDeadline deadline = soon();
        line_init(&line);
        gint64 ids[3];
        for (int k = 0; k < 3; k++)
            ids[k] = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
        for (int k = 0; k < 3; k++) {
            g_autofree char *answer =
                g_strdup_printf("{\"id\":%d,\"result\":{\"for\":%d}}", orders[i][k], orders[i][k]);
            say(&line, answer);
        }
        for (int k = 0; k < 3; k++) {
            g_autoptr(json_t) got = hf_cdp_finish(line.cdp, ids[k], &deadline, NULL);
            g_assert_cmpint(hf_json_int(got, "for", 0), ==, ids[k]);
        }
        line_clear(&line);
    }
}

#define BIG "123456789012345678901234567890"

/* None of these is an answer to number 1, and none of them may keep it from coming. */
static const char *const strange[] = {
    "",
    "x",
    "nonsense {\"id\":1,\"result\":{}}",
    "null",
    "[]",
    "[{\"id\":1}]",
    "\"id\"",
    "{",
    "{}",
    "{\"id\":null,\"result\":{}}",
    "{\"id\":\"1\",\"result\":{}}",
    "{\"id\":1.0,\"result\":{}}",
    "{\"id\":" BIG ",\"result\":{}}",
    "{\"id\":-1,\"result\":{}}",
    "{\"id\":0,\"result\":{}}",
    "{\"id\":2,\"result\":{}}",
    "{\"result\":{}}",
    "{\"error\":{\"message\":\"of nothing\"}}",
    "{\"method\":5}",
    "{\"method\":null,\"params\":[]}",
    "{\"id\":1,\"result\":{}",
    "\xff\xfe",
    "\xef\xbb\xbf",
    "{\"id\"\xc3:1}",
};

static void test_strange_messages(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(strange); i++) {
        Line line;
        HfDeadline deadline = soon();
        g_test_message("%s", strange[i]);
        line_init(&line);
        gint64 id = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
        say(&line, strange[i]);
        say(&line, "{\"id\":1,\"result\":{\"ok\":true}}");
        g_autoptr(json_t) got = hf_cdp_finish(line.cdp, id, &deadline, NULL);
        g_assert_true(hf_json_bool(got, "ok", FALSE));
        g_assert_true(hf_cdp_is_open(line.cdp));
        g_assert_cmpint(g_async_queue_length(line.heard), ==, 0);
        line_clear(&line);
    }
}

static void test_what_answers_say(void)
{
    static const struct {
        const char *answer;
        int code;           /* -1: none */
        const char *expect; /* of the message, or the result */
    } answers[] = {
        {"{\"id\":1,\"result\":{\"a\":1}}", -1, "{\"a\":1}"},
        {"{\"id\":1,\"result\":{},\"sessionId\":\"S\"}", -1, "{}"},
        {"{\"id\":1}", -1, "{}"},
        {"{\"id\":1,\"result\":[1]}", -1, "{}"},
        {"{\"id\":1,\"result\":null}", -1, "{}"},
        {"{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"No node\"}}",
         HF_ERROR_PRECONDITION_FAILED, "No node"},
        {"{\"id\":1,\"error\":{}}", HF_ERROR_PRECONDITION_FAILED, "no reason given"},
        {"{\"id\":1,\"error\":{\"message\":5}}", HF_ERROR_PRECONDITION_FAILED, "no reason given"},
        {"{\"id\":1,\"error\":\"text\"}", HF_ERROR_PRECONDITION_FAILED, "no reason given"},
        {"{\"id\":1,\"error\":null,\"result\":{\"a\":2}}", -1, "{\"a\":2}"},
        {"{\"id\":1,\"error\":{\"message\":\"no\"},\"result\":{\"a\":1}}",
         HF_ERROR_PRECONDITION_FAILED, "no"},
        /* What pages hold need not be text: the answer comes all the same. */
        {"{\"id\":1,\"result\":{\"a\":\"x\\u0000y\"}}", -1, "{\"a\":\"x\xef\xbf\xbdy\"}"},
        {"{\"id\":1,\"result\":{\"a\":\"\\ud83cx\"}}", -1, "{\"a\":\"\xef\xbf\xbdx\"}"},
        {"{\"id\":1,\"result\":{\"a\":\"\\udf89\\ud83c\"}}", -1,
         "{\"a\":\"\xef\xbf\xbd\xef\xbf\xbd\"}"},
        {"{\"id\":1,\"result\":{\"a\":\"\\ud83c\\udf89\\u0000\"}}", -1,
         "{\"a\":\"\xf0\x9f\x8e\x89\xef\xbf\xbd\"}"},
        {"{\"id\":1,\"result\":{\"a\":\"\\\\u0000 \\u0000\"}}", -1,
         "{\"a\":\"\\\\u0000 \xef\xbf\xbd\"}"},
        {"{\"id\":1,\"result\":{\"a\":\"\xff\"}}", -1, "{\"a\":\"\xef\xbf\xbd\"}"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(answers); i++) {
        Line line;
        HfDeadline deadline = soon();
        g_autoptr(GError) error = NULL;
        g_test_message("%s", answers[i].answer);
        line_init(&line);
        gint64 id = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
        say(&line, answers[i].answer);
        g_autoptr(json_t) got = hf_cdp_finish(line.cdp, id, &deadline, &error);
        if (answers[i].code < 0) {
            g_autoptr(json_t) wanted = json_loads(answers[i].expect, 0, NULL);
            g_assert_no_error(error);
            g_assert_true(json_equal(got, wanted));
        } else {
            g_assert_error(error, HF_ERROR, answers[i].code);
            g_assert_nonnull(strstr(error->message, answers[i].expect));
        }
        line_clear(&line);
    }
}

/* However a message is cut on its way. */
static void test_pieces(void)
{
    static const char stream[] = "{\"method\":\"A.b\",\"params\":{\"n\":1}}\0"
                                 "{\"id\":1,\"result\":{\"ok\":true}}\0"
                                 "{\"method\":\"A.c\",\"sessionId\":\"S\"}";
    for (gsize step = 1; step <= sizeof stream; step += 7) {
        Line line;
        HfDeadline deadline = soon();
        line_init(&line);
        gint64 id = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
        for (gsize at = 0; at < sizeof stream; at += step)
            say_bytes(&line, stream + at, MIN(step, sizeof stream - at));
        g_autoptr(json_t) got = hf_cdp_finish(line.cdp, id, &deadline, NULL);
        g_assert_true(hf_json_bool(got, "ok", FALSE));
        static const char *const heard[] = {"- A.b {\"n\":1}", "S A.c -"};
        for (gsize i = 0; i < G_N_ELEMENTS(heard); i++) {
            g_autofree char *event =
                g_async_queue_timeout_pop(line.heard, TEST_PATIENCE_MS * G_TIME_SPAN_MILLISECOND);
            g_assert_cmpstr(event, ==, heard[i]);
        }
        line_clear(&line);
    }
}

/* ---- waiting ---- */

static void assert_fails(Line *line, gint64 id, const HfDeadline *deadline, int code)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) got = hf_cdp_finish(line->cdp, id, deadline, &error);
    g_assert_null(got);
    g_assert_error(error, HF_ERROR, code);
}

static void test_a_line_that_ends(void)
{
    Line line;
    HfDeadline deadline = soon();
    line_init(&line);
    gint64 first = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
    gint64 second = hf_cdp_begin(line.cdp, "S", "Some.thing", NULL);
    say_bytes(&line, "{\"id\":1,\"result\"", 15);
    hang_up(&line);
    assert_fails(&line, first, &deadline, HF_ERROR_DESKTOP_UNAVAILABLE);
    assert_fails(&line, second, &deadline, HF_ERROR_DESKTOP_UNAVAILABLE);
    g_assert_cmpint(g_atomic_int_get(&line.closed), ==, 1);
    g_assert_false(hf_cdp_is_open(line.cdp));
    gint64 late = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
    assert_fails(&line, late, &deadline, HF_ERROR_DESKTOP_UNAVAILABLE);
    line_clear(&line);
    g_assert_cmpint(g_atomic_int_get(&line.closed), ==, 1);
}

/* Whoever shuts it hears nothing of that. */
static void test_a_line_that_is_shut(void)
{
    Line line;
    HfDeadline deadline = soon();
    line_init(&line);
    gint64 id = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
    hf_cdp_shut(line.cdp);
    assert_fails(&line, id, &deadline, HF_ERROR_DESKTOP_UNAVAILABLE);
    line_clear(&line);
    g_assert_cmpint(g_atomic_int_get(&line.closed), ==, 0);
}

static void test_a_message_without_end(void)
{
    Line line;
    HfDeadline deadline = soon();
    gsize chunk = 1024 * 1024;
    g_autofree char *bytes = g_malloc(chunk);
    memset(bytes, 'x', chunk);
    line_init(&line);
    gint64 id = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
    fcntl(line.answers, F_SETFL, O_NONBLOCK);
    gsize sent = 0;
    while (hf_cdp_is_open(line.cdp)) { /* from its end on, nobody reads */
        struct pollfd room = {line.answers, POLLOUT, 0};
        ssize_t written = poll(&room, 1, 100) > 0 ? write(line.answers, bytes, chunk) : 0;
        sent += (gsize)MAX(written, 0);
    }
    g_assert_cmpuint(sent, >, HF_LIMIT_CDP_MESSAGE_BYTES);
    assert_fails(&line, id, &deadline, HF_ERROR_DESKTOP_UNAVAILABLE);
    line_clear(&line);
}

/* More than the pipe holds, and nobody reads it: half of a message must not be taken for the
 * beginning of the next. */
static void test_a_browser_that_does_not_read(void)
{
    Line line;
    HfDeadline deadline = soon();
    g_autofree char *text = g_strnfill((gsize)1024 * 1024, 'x');
    line_init(&line);
    gint64 id = hf_cdp_begin(line.cdp, NULL, "Input.insertText", json_pack("{s:s}", "text", text));
    assert_fails(&line, id, &deadline, HF_ERROR_DESKTOP_UNAVAILABLE);
    g_assert_false(hf_cdp_is_open(line.cdp));
    line_clear(&line);
}

static void test_time_is_up(void)
{
    Line line;
    HfDeadline none = hf_deadline_in_ms(1, NULL), deadline = soon();
    line_init(&line);
    gint64 id = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
    assert_fails(&line, id, &none, HF_ERROR_DESKTOP_TIMEOUT);
    /* Its answer comes after all, and is nobody's. */
    gint64 next = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
    say(&line, "{\"id\":1,\"result\":{\"late\":true}}");
    say(&line, "{\"id\":2,\"result\":{\"ok\":true}}");
    g_autoptr(json_t) got = hf_cdp_finish(line.cdp, next, &deadline, NULL);
    g_assert_true(hf_json_bool(got, "ok", FALSE));
    line_clear(&line);
}

static gpointer call_off(gpointer data)
{
    g_cancellable_cancel(data);
    return NULL;
}

static void test_called_off(void)
{
    Line line;
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    HfDeadline deadline = hf_deadline_in_ms(TEST_PATIENCE_MS, cancellable);
    line_init(&line);
    gint64 id = hf_cdp_begin(line.cdp, NULL, "Some.thing", NULL);
    GThread *thread = g_thread_new("call-off", call_off, cancellable);
    assert_fails(&line, id, &deadline, HF_ERROR_DESKTOP_ABORTED);
    g_thread_join(thread);
    line_clear(&line);
}

static void test_sessions(void)
{
    Line line;
    HfDeadline deadline = soon();
    line_init(&line);
    hf_cdp_lock(line.cdp);
    hf_cdp_set_blocked(line.cdp, "S", TRUE);
    hf_cdp_unlock(line.cdp);
    gint64 blocked = hf_cdp_begin(line.cdp, "S", "Some.thing", NULL);
    gint64 other = hf_cdp_begin(line.cdp, "T", "Some.thing", NULL);
    assert_fails(&line, blocked, &deadline, HF_ERROR_DESKTOP_MODAL_BLOCKING);
    say(&line, "{\"id\":2,\"result\":{\"ok\":true}}");
    g_autoptr(json_t) got = hf_cdp_finish(line.cdp, other, &deadline, NULL);
    g_assert_nonnull(got);
    say(&line, "{\"id\":3,\"result\":{\"ok\":true}}");
    g_autoptr(json_t) anyway = hf_cdp_call_despite_dialog(
        line.cdp, "S", "Page.handleJavaScriptDialog", NULL, &deadline, NULL);
    g_assert_nonnull(anyway);
    gint64 ended = hf_cdp_begin(line.cdp, "T", "Some.thing", NULL);
    hf_cdp_lock(line.cdp);
    hf_cdp_set_blocked(line.cdp, "S", FALSE);
    hf_cdp_end_session(line.cdp, "T");
    hf_cdp_unlock(line.cdp);
    assert_fails(&line, ended, &deadline, HF_ERROR_DESKTOP_UNAVAILABLE);
    gint64 free_again = hf_cdp_begin(line.cdp, "S", "Some.thing", NULL);
    say(&line, "{\"id\":5,\"result\":{}}");
    g_autoptr(json_t) last = hf_cdp_finish(line.cdp, free_again, &deadline, NULL);
    g_assert_nonnull(last);
    line_clear(&line);
}

/* ---- many at once ---- */

enum { CALLERS = 8, CALLS = 100 };

static gpointer call_often(gpointer data)
{
    Line *line = data;
    HfDeadline deadline = soon();
    for (int i = 0; i < CALLS; i++) {
        g_autoptr(json_t) got =
            hf_cdp_call(line->cdp, NULL, "Echo", json_pack("{s:i}", "n", i), &deadline, NULL);
        g_assert_cmpint(hf_json_int(got, "n", -1), ==, i);
    }
    return NULL;
}

static void test_many_callers(void)
{
    Line line;
    GThread *threads[CALLERS];
    line_init(&line);
    for (int i = 0; i < CALLERS; i++)
        threads[i] = g_thread_new("caller", call_often, &line);
    for (int i = 0; i < CALLERS * CALLS; i++) {
        g_autoptr(json_t) asked = read_command(&line);
        g_autoptr(json_t) answer = json_pack("{s:O, s:O}", "id", json_object_get(asked, "id"),
                                             "result", json_object_get(asked, "params"));
        g_autofree char *text = hf_json_dump(answer);
        say(&line, text);
    }
    for (int i = 0; i < CALLERS; i++)
        g_thread_join(threads[i]);
    line_clear(&line);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    signal(SIGPIPE, SIG_IGN);
    g_test_add_func("/cdp/commands", test_commands);
    g_test_add_func("/cdp/answers-in-any-order", test_answers_in_any_order);
    g_test_add_func("/cdp/strange-messages", test_strange_messages);
    g_test_add_func("/cdp/what-answers-say", test_what_answers_say);
    g_test_add_func("/cdp/pieces", test_pieces);
    g_test_add_func("/cdp/a-line-that-ends", test_a_line_that_ends);
    g_test_add_func("/cdp/a-line-that-is-shut", test_a_line_that_is_shut);
    g_test_add_func("/cdp/a-message-without-end", test_a_message_without_end);
    g_test_add_func("/cdp/a-browser-that-does-not-read", test_a_browser_that_does_not_read);
    g_test_add_func("/cdp/time-is-up", test_time_is_up);
    g_test_add_func("/cdp/called-off", test_called_off);
    g_test_add_func("/cdp/sessions", test_sessions);
    g_test_add_func("/cdp/many-callers", test_many_callers);
    return g_test_run();
}
