/* SPDX-License-Identifier: Apache-2.0 */
/* One element of a program, to be asked and to be given orders. Questions and orders go straight to
 * its program, each with the rest of the call's time at most. An order asks the brake and the fence
 * first, as an event does. */
#pragma once

#include <gio/gio.h>

#include "hand/atspi/bus/toolkit-quirks.h"
#include "hand/atspi/tree/tree.h"
#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

typedef struct HfElement {
    HfDesktop *desktop;
    const HfDeadline *deadline;
    HfTree *tree;                /* where it was found, or was seen last */
    int index;                   /* in it; HF_NODE_NONE: it is not in there */
    GDBusConnection *connection; /* NULL: only its picture is known */
    char *bus, *path, *name;
    const HfToolkitQuirks *quirks;
    int role, pid;
    HfAbility abilities;
    guint64 states; /* when it was last asked */
    guint32 window;
} HfElement;

/* `deadline` must live as long. */
HfElement *hf_element_new(HfDesktop *desktop, HfTree *tree, int index, const HfDeadline *deadline,
                          GError **error);
/* Another of the same tree. */
HfElement *hf_element_new_at(const HfElement *element, int index);
/* Another of the same program, which is asked what it is; NULL when it does not say. */
HfElement *hf_element_new_by_path(const HfElement *element, const char *path);
void hf_element_free(HfElement *element);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfElement, hf_element_free)

/* Whether only its picture is known: pointer and keys are all that it takes. */
gboolean hf_element_is_painted(const HfElement *element);
/* UNSUPPORTED, with what to do instead. */
gboolean hf_element_fail_painted(const HfElement *element, GError **error);

/* "button 'Save'", for messages. Free with g_free. */
char *hf_element_dup_title(const HfElement *element);

/* UNSUPPORTED when the program does not know the question, DESKTOP_STALE_SNAPSHOT when it does not
 * know the element any more, DESKTOP_TIMEOUT when it does not answer. */
GVariant *hf_element_query(const HfElement *element, const char *interface, const char *method,
                           GVariant *arguments, const char *reply_type, GError **error);
GVariant *hf_element_get(const HfElement *element, const char *interface, const char *property,
                         const char *type, GError **error);
/* `ret_yes`: what it answers. */
gboolean hf_element_invoke(const HfElement *element, const char *interface, const char *method,
                           GVariant *arguments, gboolean *ret_yes, GError **error);
gboolean hf_element_set(const HfElement *element, const char *interface, const char *property,
                        GVariant *value, GError **error);

/* Asks for its states again. */
gboolean hf_element_refresh_states(HfElement *element, GError **error);
gboolean hf_element_get_number(const HfElement *element, const char *property, double *ret_number,
                               GError **error);
/* What it holds; never of a secure field. */
char *hf_element_dup_text(const HfElement *element, GError **error);
int hf_element_get_place_in_parent(const HfElement *element); /* -1: it does not say */
/* Paths of its children, at most HF_LIMIT_CHOICES; NULL-ended. */
char **hf_element_dup_children(const HfElement *element, GError **error);
/* Does the first of its actions that has one of these names, in their order. `ret_done` is FALSE
 * when it has none of them, or says that it did not. */
gboolean hf_element_do_action(const HfElement *element, const char *const *names,
                              gboolean *ret_done, GError **error);

/* Its window and what has popped up, read again; its index is HF_NODE_NONE when it is not in view
 * any more. */
gboolean hf_element_reread(HfElement *element, GError **error);

/* Whether something is so; FALSE with an error when it cannot be known. */
typedef gboolean (*HfElementTest)(HfElement *element, gpointer data, gboolean *ret_holds,
                                  GError **error);
gboolean hf_element_is_focused(HfElement *element, gpointer unused, gboolean *ret_holds,
                               GError **error);
/* Until it is so, for at most so long. Programs do what they are told after they have said yes, and
 * to hear of it they would have to be asked for events, which slows them down: so they are asked
 * again, ever more seldom. */
gboolean hf_element_wait(HfElement *element, HfElementTest test, gpointer data, int most_ms,
                         gboolean *ret_holds, GError **error);
