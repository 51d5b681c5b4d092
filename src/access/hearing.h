/* Hearing what programs change, so that what was read of them need not be read again. Only events
 * that matter to a tree are asked for: every event costs the program that sends it, and those of
 * texts most of all. */
#pragma once

#include "access/line.h"
#include "base/deadline.h"

typedef enum HfChangeKind {
    HF_CHANGE_STATE,  /* `state` is now set, or not */
    HF_CHANGE_NAME,   /* `text` is its name now */
    HF_CHANGE_BOUNDS, /* it has moved, with all that is in it */
    HF_CHANGE_VALUE,  /* of a scroll bar this means that something has moved */
} HfChangeKind;

typedef struct HfChange {
    HfChangeKind kind;
    char *path;
    int state;
    gboolean set;
    char *text;
} HfChange;

typedef struct HfHearing HfHearing;

HfHearing *hf_hearing_new(void);
void hf_hearing_free(HfHearing *hearing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHearing, hf_hearing_free)

/* The line to a program that may end while it is asked something: then its questions end, too. */
void hf_hearing_mind(HfHearing *hearing, const char *bus, HfLine *line);
/* To be called before the line is freed. */
void hf_hearing_unmind(HfHearing *hearing, const char *bus);

/* For hf_line_new. */
void hf_hearing_hear(GDBusMessage *message, gpointer hearing);
/* Asks the bus to tell who comes and goes. */
void hf_hearing_register(HfHearing *hearing, HfLine *bus, const HfDeadline *deadline);
/* Grows with each who comes or goes. 0: the bus has not agreed to tell. What was heard so far: who
 * has only just come may be missing. */
guint hf_hearing_count_comings(HfHearing *hearing);
/* Asks the bus to pass events on, to a line of their own. Programs made with ATK take whoever asks
 * for events for a screen reader, and ask the registry about every key that is pressed before they
 * use it, which makes typing cost twice as much; until its line is closed. So that is done on a
 * line that can be closed, and what is only asked goes over another. */
void hf_hearing_register_events(HfLine *ear, const HfDeadline *deadline);
/* Asks one program to send them, and no other: those that nobody looks at are not to be slowed
 * down, least of all while they start. They stop when the line is closed, also when our process is
 * killed.
 */
void hf_hearing_attend(HfBatch *batch, HfLine *ear, const char *program);

/* Waits until a program has joined the bus since it was last asked, or the time is over. */
gboolean hf_hearing_wait_joined(HfHearing *hearing, const HfDeadline *deadline);

/* From now on, what this program changes is kept. */
void hf_hearing_follow(HfHearing *hearing, const char *bus);
void hf_hearing_leave(HfHearing *hearing, const char *bus);
/* What it has changed since it was followed or last asked for (HfChange, freed with the array).
 * NULL: more than can be told, or it is not followed: all has to be read again. */
GPtrArray *hf_hearing_take(HfHearing *hearing, const char *bus);
