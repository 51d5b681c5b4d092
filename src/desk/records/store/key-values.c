/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each value. */
#include "desk/records/store/key-values.h"

#include "shared/base/json.h"

typedef struct Fact {
    const char *name;
    const char *text;
    json_t *value;
} Fact;

static gboolean read_fact(HfStoreSession *session, gpointer data, GError **error)
{
    Fact *fact = data;
    sqlite3_stmt *row =
        hf_store_query(session, error, "SELECT value FROM facts WHERE name = ?", "t", fact->name);
    gboolean found;
    if (!hf_store_next_row(session, row, &found, error))
        return FALSE;
    if (found)
        fact->value = hf_store_json(row, 0);
    return TRUE;
}

json_t *hf_key_value_get(HfStore *store, const char *name, GError **error)
{
    Fact fact = {.name = name};
    if (!hf_store_read(store, read_fact, &fact, error))
        return NULL;
    return fact.value ? fact.value : json_null();
}

static gboolean write_fact(HfStoreSession *session, gpointer data, GError **error)
{
    Fact *fact = data;
    if (!fact->text)
        return hf_store_run(session, error, "DELETE FROM facts WHERE name = ?", "t", fact->name);
    return hf_store_run(session, error, "INSERT OR REPLACE INTO facts VALUES (?, ?)", "tt",
                        fact->name, fact->text);
}

gboolean hf_key_value_set(HfStore *store, const char *name, const json_t *value, GError **error)
{
    g_autofree char *text = value ? hf_json_dump(value) : NULL;
    Fact fact = {.name = name, .text = text};
    return hf_store_write(store, write_fact, &fact, error);
}
