/* Calls that the hand holds until the desk lets each of them go: a place for each in memory that
 * both share. While the desk does what must be done before a call is, the call is on its way
 * already; and a call that was let go before the hand asks costs nobody anything. */
#pragma once

#include "base/deadline.h"

typedef struct HfReleases HfReleases;

/* The desk's side. */
HfReleases *hf_releases_new(GError **error);
/* The hand's side: the first message on a connection to the desk. */
gboolean hf_releases_send(HfReleases *releases, int socket, GError **error);
HfReleases *hf_releases_receive(int socket, GError **error);
void hf_releases_free(HfReleases *releases);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfReleases, hf_releases_free)

/* The desk: takes a place for the call `id`, which is held from now on; -1: all are taken. */
int hf_releases_hold(HfReleases *releases, gint64 id);
void hf_releases_let_go(HfReleases *releases, int place, gint64 id);
/* Gives the place back. Not before the hand has answered: it may be looking there. */
void hf_releases_return(HfReleases *releases, int place);

/* The hand: waits until the call is let go. FALSE: the work must end instead, and nothing may be
 * done. */
gboolean hf_releases_wait(HfReleases *releases, int place, gint64 id, const HfDeadline *deadline,
                          GError **error);
