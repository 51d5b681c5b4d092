/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the audit's tables without a desk: for listing, exporting and verifying. */
#pragma once

#include <stdio.h>

#include "desk/records/audit/audit-verifier.h"

typedef struct HfAuditDatabase HfAuditDatabase;

/* NULL or 0 leaves a condition out. */
typedef struct HfAuditFilter {
    const char *run, *tool;
    const char *caller; /* a part of its name */
    gint64 since_ms;
    gint64 limit; /* the last so many */
} HfAuditFilter;

typedef struct HfAuditRow {
    gint64 seq;
    const char *hash, *body;
    gsize length;
    gpointer reader; /* private to the reader */
} HfAuditRow;

/* FALSE with an error ends the walk. */
typedef gboolean (*HfAuditRowFunc)(const HfAuditRow *row, gpointer data, GError **error);
typedef gboolean (*HfAuditHeadFunc)(const HfAuditHead *head, gpointer data, GError **error);

/* The database at `path` is never written to. */
HfAuditDatabase *hf_audit_database_open(const char *path, GError **error);
void hf_audit_database_close(HfAuditDatabase *database);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAuditDatabase, hf_audit_database_close)

/* In order of sequence. */
gboolean hf_audit_database_list(HfAuditDatabase *database, const HfAuditFilter *filter,
                                HfAuditRowFunc func, gpointer data, GError **error);
/* The same as an array, each row with its "hash". */
json_t *hf_audit_database_rows(HfAuditDatabase *database, const HfAuditFilter *filter,
                               GError **error);
/* From a row to the end, each head after its row; one consistent view. */
gboolean hf_audit_database_visit_from(HfAuditDatabase *database, gint64 first, HfAuditRowFunc row,
                                      HfAuditHeadFunc head, gpointer data, GError **error);
/* The first row since a time, the hash before a row, the last head. */
gint64 hf_audit_database_first_since(HfAuditDatabase *database, gint64 since_ms);
gboolean hf_audit_database_hash_before(HfAuditDatabase *database, gint64 row,
                                       HfAuditHash *ret_hash);
gboolean hf_audit_database_last_head(HfAuditDatabase *database, HfAuditHead *ret_head);

/* Verifies the whole chain: rows, columns, and heads of the database and of `heads_path` (may be
 * NULL). */
gboolean hf_audit_database_verify(HfAuditDatabase *database, HfAuditVerifier *verifier,
                                  const char *heads_path, GError **error);

/* The next line without its newline. FALSE at the end, or with an error when a line is too long or
 * cannot be read. */
gboolean hf_audit_read_line(FILE *file, GString *line, GError **error);
