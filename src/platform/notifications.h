/* Notices to the person in front of the desktop. */
#pragma once

#include "base/deadline.h"

/* The values are those of the wire. */
typedef enum HfUrgency {
    HF_URGENCY_LOW = 0,
    HF_URGENCY_NORMAL = 1,
    HF_URGENCY_CRITICAL = 2,
} HfUrgency;

typedef struct HfNotification {
    const char *title, *body; /* plain text, shown as it is */
    HfUrgency urgency;
} HfNotification;

/* UNSUPPORTED when nobody on the desktop shows notices. */
gboolean hf_notification_send(const HfNotification *notification, guint32 *ret_id,
                              const HfDeadline *deadline, GError **error);
