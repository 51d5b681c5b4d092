/* SPDX-License-Identifier: Apache-2.0 */
/* One element of a program: queries and actions, which go straight to its program within the call's
 * remaining time. An action asks the brake and the fence first, as an input event does. */
#pragma once

#include <gio/gio.h>

#include "hand/atspi/bus/toolkit-quirks.h"
#include "hand/atspi/tree/tree.h"
#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

typedef struct HfElement {
    const HfCallContext *context;
    HfDesktop *desktop; /* the context's */
    const HfDeadline *deadline;
    HfTree *tree;                /* the tree that it was last read in */
    int index;                   /* in that tree, or HF_NODE_NONE */
    GDBusConnection *connection; /* NULL: a painted element */
    char *bus, *path, *name;
    const HfToolkitQuirks *quirks;
    int role, pid;
    HfAbility abilities;
    guint64 states; /* as last read */
    guint32 window;
} HfElement;

/* `deadline` must outlive it. */
HfElement *hf_element_new(const HfCallContext *context, HfTree *tree, int index,
                          const HfDeadline *deadline, GError **error);
/* Another element of the same tree. */
HfElement *hf_element_new_at(const HfElement *element, int index);
/* Another object of the same program, which is queried; NULL when it does not answer. */
HfElement *hf_element_new_by_path(const HfElement *element, const char *path);
void hf_element_free(HfElement *element);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfElement, hf_element_free)

/* Found in pixels only: it takes nothing but pointer and keys. */
gboolean hf_element_is_painted(const HfElement *element);
/* UNSUPPORTED, with what to do instead. */
gboolean hf_element_fail_painted(const HfElement *element, GError **error);

/* "button 'Save'", for messages. Free with g_free. */
char *hf_element_dup_title(const HfElement *element);

/* UNSUPPORTED when the program refuses the call, DESKTOP_STALE_SNAPSHOT when the element no longer
 * exists, DESKTOP_TIMEOUT when the program does not answer. */
GVariant *hf_element_query(const HfElement *element, const char *interface, const char *method,
                           GVariant *arguments, const char *reply_type, GError **error);
GVariant *hf_element_get(const HfElement *element, const char *interface, const char *property,
                         const char *type, GError **error);
/* `ret_yes`: the program's reply. */
gboolean hf_element_invoke(const HfElement *element, const char *interface, const char *method,
                           GVariant *arguments, gboolean *ret_yes, GError **error);
gboolean hf_element_set(const HfElement *element, const char *interface, const char *property,
                        GVariant *value, GError **error);

gboolean hf_element_refresh_states(HfElement *element, GError **error);
gboolean hf_element_get_number(const HfElement *element, const char *property, double *ret_number,
                               GError **error);
/* Its text; never that of a password field. */
char *hf_element_dup_text(const HfElement *element, GError **error);
int hf_element_get_place_in_parent(const HfElement *element); /* -1: unknown */
/* Paths of its children, at most HF_LIMIT_CHOICES; NULL-terminated. */
char **hf_element_dup_children(const HfElement *element, GError **error);
/* Runs its first action with one of these names, in their order. `ret_done` is FALSE when it has
 * none of them, or reports failure. */
gboolean hf_element_do_action(const HfElement *element, const char *const *names,
                              gboolean *ret_done, GError **error);

/* Reads its window and popups again; the index is HF_NODE_NONE when it is not there now. */
gboolean hf_element_reread(HfElement *element, GError **error);

/* FALSE with an error when the condition cannot be checked. */
typedef gboolean (*HfElementTest)(HfElement *element, gpointer data, gboolean *ret_holds,
                                  GError **error);
gboolean hf_element_is_focused(HfElement *element, gpointer unused, gboolean *ret_holds,
                               GError **error);
/* Waits until the condition holds, at most `most_ms`. Programs act after they have replied, and
 * events would slow them down: so this polls, at growing intervals. */
gboolean hf_element_wait(HfElement *element, HfElementTest test, gpointer data, int most_ms,
                         gboolean *ret_holds, GError **error);
