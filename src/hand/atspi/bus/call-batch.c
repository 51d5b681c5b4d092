/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a batch are numbered; an answer comes with the number of its call. Only the queue
 * of answers is shared with GDBus's threads. */
#include "hand/atspi/bus/call-batch.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hand/atspi/atspi-limits.h"

#define PROPERTIES "org.freedesktop.DBus.Properties"

typedef struct Question {
    HfBusConnection *line;
    HfBusMessage letter; /* until it is sent */
    const GVariantType *reply_type;
    HfBatchDone done;
    gpointer owner;
    int index;
    gboolean property, answered;
} Question;

typedef struct Answer {
    guint mark;
    GVariant *body; /* NULL: none will come, or it was refused */
} Answer;

struct HfCallBatch {
    const HfDeadline *deadline;
    GArray *questions; /* of Question */
    guint sent, settled;
    GHashTable *lines; /* set of HfBusConnection */
    GPtrArray *wires;  /* of HfBusConnection: those among them that are read here */
    GHashTable *open;  /* owner → how many of its questions are not answered */
    GMutex lock;       /* guards what follows */
    GCond news;
    GArray *answers; /* of Answer */
    int bell;        /* rung for answers, while wires are waited for; -1: there are none */
};

HfCallBatch *hf_call_batch_new(const HfDeadline *deadline)
{
    HfCallBatch *batch = g_new0(HfCallBatch, 1);
    batch->deadline = deadline;
    batch->questions = g_array_new(FALSE, TRUE, sizeof(Question));
    batch->lines = g_hash_table_new(NULL, NULL);
    batch->open = g_hash_table_new(NULL, NULL);
    batch->wires = g_ptr_array_new();
    batch->bell = -1;
    g_mutex_init(&batch->lock);
    g_cond_init(&batch->news);
    batch->answers = g_array_new(FALSE, TRUE, sizeof(Answer));
    return batch;
}

static Question *question_at(const HfCallBatch *batch, guint mark)
{
    return &g_array_index(batch->questions, Question, mark);
}

static void forget_lines(HfCallBatch *batch)
{
    GHashTableIter lines;
    gpointer line;
    g_hash_table_iter_init(&lines, batch->lines);
    while (g_hash_table_iter_next(&lines, &line, NULL))
        hf_bus_connection_forget_batch(line, batch);
}

void hf_call_batch_free(HfCallBatch *batch)
{
    if (!batch)
        return;
    forget_lines(batch);
    for (guint i = 0; i < batch->questions->len; i++)
        hf_bus_message_clear(&question_at(batch, i)->letter);
    for (guint i = 0; i < batch->answers->len; i++)
        g_clear_pointer(&g_array_index(batch->answers, Answer, i).body, g_variant_unref);
    g_array_unref(batch->questions);
    g_array_unref(batch->answers);
    g_hash_table_unref(batch->lines);
    g_hash_table_unref(batch->open);
    g_ptr_array_unref(batch->wires);
    if (batch->bell >= 0)
        close(batch->bell);
    g_cond_clear(&batch->news);
    g_mutex_clear(&batch->lock);
    g_free(batch);
}

/* With the lock. */
static void signal_answers(HfCallBatch *batch)
{
    g_cond_signal(&batch->news);
    if (batch->bell >= 0)
        eventfd_write(batch->bell, 1);
}

void hf_call_batch_take_answer(HfCallBatch *batch, guint mark, GVariant *body)
{
    Answer kept = {mark, body ? g_variant_ref(body) : NULL};
    g_mutex_lock(&batch->lock);
    g_array_append_val(batch->answers, kept);
    if (batch->answers->len == 1)
        signal_answers(batch);
    g_mutex_unlock(&batch->lock);
}

static void send_due(HfCallBatch *batch)
{
    while (batch->sent < batch->questions->len &&
           batch->sent - batch->settled < HF_LIMIT_ACCESS_IN_FLIGHT) {
        guint mark = batch->sent++;
        Question *question = question_at(batch, mark);
        if (!hf_bus_connection_send(question->line, &question->letter, batch, mark))
            hf_call_batch_take_answer(batch, mark, NULL);
    }
}

static void add_open_calls(HfCallBatch *batch, gpointer owner, int more)
{
    int open = GPOINTER_TO_INT(g_hash_table_lookup(batch->open, owner));
    g_hash_table_insert(batch->open, owner, GINT_TO_POINTER(open + more));
}

static void track_connection(HfCallBatch *batch, HfBusConnection *line)
{
    if (!g_hash_table_add(batch->lines, line) || hf_bus_connection_get_fd(line) < 0)
        return;
    g_ptr_array_add(batch->wires, line);
    g_mutex_lock(&batch->lock);
    if (batch->bell < 0)
        batch->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    g_mutex_unlock(&batch->lock);
}

static void queue_question(HfCallBatch *batch, const HfBatchCall *call, const char *interface,
                           const char *method, GVariant *arguments, gboolean property)
{
    Question question = {
        .line = call->line,
        .letter = hf_bus_connection_write_call(
            call->line, &(HfDbusCall){call->destination, call->path, interface, method}, arguments),
        .reply_type = property ? G_VARIANT_TYPE("(v)") : G_VARIANT_TYPE(call->reply_type),
        .done = call->done,
        .owner = call->owner,
        .index = call->index,
        .property = property,
    };
    question.letter.raw = call->raw;
    track_connection(batch, call->line);
    g_array_append_val(batch->questions, question);
    add_open_calls(batch, call->owner, 1);
    send_due(batch);
}

void hf_call_batch_call(HfCallBatch *batch, const HfBatchCall *call)
{
    queue_question(batch, call, call->interface, call->method, call->arguments, FALSE);
}

void hf_call_batch_get(HfCallBatch *batch, const HfBatchCall *call, const char *property)
{
    queue_question(batch, call, PROPERTIES, "Get", g_variant_new("(ss)", call->interface, property),
                   TRUE);
}

/* The body if it is what was asked for. */
static GVariant *dup_wanted(const Question *question, GVariant *body)
{
    if (!body || !g_variant_is_of_type(body, question->reply_type))
        return NULL;
    if (!question->property)
        return g_variant_ref(body);
    GVariant *value = NULL;
    g_variant_get(body, "(v)", &value);
    return value;
}

/* `done` may add questions, and so move them. */
static void complete_question(HfCallBatch *batch, Answer answer)
{
    Question *question = question_at(batch, answer.mark);
    g_autoptr(GVariant) told = answer.body;
    if (question->answered)
        return;
    question->answered = TRUE;
    batch->settled++;
    add_open_calls(batch, question->owner, -1);
    g_autoptr(GVariant) body = dup_wanted(question, told);
    question->done(question->owner, question->index, body);
}

static void wake_batch(GCancellable *cancellable, gpointer data)
{
    HfCallBatch *batch = data;
    g_mutex_lock(&batch->lock);
    signal_answers(batch);
    g_mutex_unlock(&batch->lock);
}

/* Sends what is due, and reads what comes. */
static void wait_at_wires(HfCallBatch *batch)
{
    guint count = batch->wires->len;
    g_autofree struct pollfd *fds = g_new0(struct pollfd, count + 1);
    eventfd_t rung;
    for (guint i = 0; i < count; i++) {
        HfBusConnection *line = batch->wires->pdata[i];
        short writing = hf_bus_connection_flush(line) ? POLLOUT : 0;
        fds[i] = (struct pollfd){hf_bus_connection_get_fd(line), POLLIN | writing, 0};
    }
    fds[count] = (struct pollfd){batch->bell, POLLIN, 0};
    poll(fds, count + 1, (int)MIN(hf_deadline_left_ms(batch->deadline) + 1, G_MAXINT));
    for (guint i = count; i-- > 0;) /* one that has ended is not waited for again */
        if ((fds[i].revents & ~POLLOUT) && !hf_bus_connection_receive(batch->wires->pdata[i]))
            g_ptr_array_remove_index(batch->wires, i);
    eventfd_read(batch->bell, &rung);
}

static gboolean has_answers(HfCallBatch *batch)
{
    g_mutex_lock(&batch->lock);
    gboolean any = batch->answers->len > 0;
    g_mutex_unlock(&batch->lock);
    return any;
}

/* What has come in; empty when the time is over. */
static GArray *wait_for_answers(HfCallBatch *batch)
{
    GArray *fresh = g_array_new(FALSE, TRUE, sizeof(Answer));
    while (batch->wires->len > 0 && !has_answers(batch) && hf_deadline_check(batch->deadline, NULL))
        wait_at_wires(batch);
    g_mutex_lock(&batch->lock);
    while (batch->answers->len == 0 && hf_deadline_check(batch->deadline, NULL) &&
           g_cond_wait_until(&batch->news, &batch->lock, batch->deadline->at_us))
        continue;
    GArray *answers = batch->answers;
    batch->answers = fresh;
    g_mutex_unlock(&batch->lock);
    return answers;
}

gboolean hf_call_batch_step(HfCallBatch *batch)
{
    gulong waker = 0;
    if (batch->settled == batch->questions->len)
        return TRUE;
    if (batch->deadline->cancellable)
        waker = g_cancellable_connect(batch->deadline->cancellable, G_CALLBACK(wake_batch), batch,
                                      NULL);
    g_autoptr(GArray) answers = wait_for_answers(batch);
    g_cancellable_disconnect(batch->deadline->cancellable, waker);
    for (guint i = 0; i < answers->len; i++)
        complete_question(batch, g_array_index(answers, Answer, i));
    send_due(batch);
    return answers->len > 0;
}

gboolean hf_call_batch_run(HfCallBatch *batch)
{
    while (batch->settled < batch->questions->len)
        if (!hf_call_batch_step(batch))
            return FALSE;
    return TRUE;
}

guint hf_call_batch_count_calls(const HfCallBatch *batch)
{
    return batch->sent;
}

guint hf_call_batch_count_open(const HfCallBatch *batch, gconstpointer owner)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(batch->open, owner));
}
