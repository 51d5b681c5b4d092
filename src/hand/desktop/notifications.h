/* SPDX-License-Identifier: Apache-2.0 */
/* Notices to the person in front of the desktop. */
#pragma once

#include "shared/base/deadline.h"

/* The values are those of the wire. */
typedef enum HfUrgency {
    HF_URGENCY_LOW = 0,
    HF_URGENCY_NORMAL = 1,
    HF_URGENCY_CRITICAL = 2,
} HfUrgency;

typedef struct HfNotification {
    const char *title, *body; /* plain text, shown as it is */
    HfUrgency urgency;
    const char *icon;           /* a name or a path; NULL: none */
    const char *const *actions; /* labels of its buttons, ended by NULL; NULL: none */
    guint32 replaces;           /* the notice that it takes the place of; 0: none */
    int expires_ms;             /* -1: as the server likes, 0: never */
    gint64 wait_ms;             /* wait so long for what the person does; 0: do not */
} HfNotification;

typedef enum HfNoticeEnd {
    HF_NOTICE_SHOWN, /* it was not waited for, or is still there */
    HF_NOTICE_PRESSED,
    HF_NOTICE_CLOSED, /* by the person */
    HF_NOTICE_EXPIRED,
    HF_NOTICE_WITHDRAWN, /* by a program */
} HfNoticeEnd;

typedef struct HfNoticeOutcome {
    guint32 id;
    HfNoticeEnd end;
    guint action; /* which was pressed, from 0 */
} HfNoticeOutcome;

/* UNSUPPORTED when nobody on the desktop shows notices, or no buttons where there are some. */
gboolean hf_notification_send(const HfNotification *notification, HfNoticeOutcome *ret_outcome,
                              const HfDeadline *deadline, GError **error);
/* Takes one away. Servers do not say whether it was there. */
gboolean hf_notification_close(guint32 id, const HfDeadline *deadline, GError **error);
