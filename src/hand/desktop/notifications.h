/* SPDX-License-Identifier: Apache-2.0 */
/* Notifications to the person in front of the desktop. */
#pragma once

#include "shared/base/deadline.h"

/* The values of the notification protocol. */
typedef enum HfUrgency {
    HF_URGENCY_LOW = 0,
    HF_URGENCY_NORMAL = 1,
    HF_URGENCY_CRITICAL = 2,
} HfUrgency;

typedef struct HfNotification {
    const char *title, *body; /* plain text, shown as it is */
    HfUrgency urgency;
    const char *icon;           /* a name or a path; NULL: none */
    const char *const *actions; /* labels of its buttons, up to NULL; NULL: none */
    guint32 replaces;           /* the id of the notification that it replaces; 0: none */
    int expires_ms;             /* -1: the server decides, 0: never */
    gint64 wait_ms;             /* wait this long for the person's reaction; 0: do not */
} HfNotification;

typedef enum HfNoticeEnd {
    HF_NOTICE_SHOWN, /* still there, or nobody waited */
    HF_NOTICE_PRESSED,
    HF_NOTICE_CLOSED, /* by the person */
    HF_NOTICE_EXPIRED,
    HF_NOTICE_WITHDRAWN, /* by a program */
} HfNoticeEnd;

typedef struct HfNoticeOutcome {
    guint32 id;
    HfNoticeEnd end;
    guint action; /* the pressed button, from 0 */
} HfNoticeOutcome;

/* UNSUPPORTED when the desktop has no notification server, or that shows no buttons. */
gboolean hf_notification_send(const HfNotification *notification, HfNoticeOutcome *ret_outcome,
                              const HfDeadline *deadline, GError **error);
/* PRECONDITION_FAILED when the server does not confirm it: there may be no such notification. */
gboolean hf_notification_close(guint32 id, const HfDeadline *deadline, GError **error);
