/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the same export as the command line, into an unnamed file that nobody else can open, and
 * sends it from there. */
#include "desk/doors/http/routes/run-bundle.h"

#include <glib/gstdio.h>

#include "desk/doors/http/routes/routes.h"
#include "desk/doors/methods/methods.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/evidence/run-export.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/paths.h"
#include "shared/tool/registry.h"

static json_t *read_bundle_audit(const char *path)
{
    g_autoptr(json_t) environment = hf_run_read_object(path, "env.json");
    g_autofree char *directory = hf_path_ensure_data(NULL);
    g_autofree char *file = directory ? g_build_filename(directory, "handfast.db", NULL) : NULL;
    g_autoptr(HfAuditDatabase) database = file ? hf_audit_database_open(file, NULL) : NULL;
    HfAuditFilter filter = {.run = hf_json_string(environment, "run_id", "")};
    json_t *rows = database ? hf_audit_database_rows(database, &filter, NULL) : NULL;
    return rows ? rows : json_array();
}

static GBytes *export_run_bundle(const HfHttpRequest *request, GError **error)
{
    g_autofree char *path = hf_method_find_run(hf_http_request_get_caller(request),
                                               hf_http_request_get_part(request, "id"), error);
    g_autofree char *runtime = path ? hf_path_ensure_runtime(error) : NULL;
    if (!runtime)
        return NULL;
    g_autofree char *name = hf_id_new("bundle");
    g_autofree char *file = g_build_filename(runtime, name, NULL);
    g_autoptr(json_t) tools = hf_registry_describe_looks(), audit = read_bundle_audit(path);
    HfRunExport wanted = {path, file, tools, audit};
    if (!hf_run_export(&wanted, error))
        return NULL;
    g_autoptr(GMappedFile) mapped = g_mapped_file_new(file, FALSE, error);
    g_unlink(file);
    return mapped ? g_mapped_file_get_bytes(mapped) : NULL;
}

void hf_http_handle_bundle(HfHttpRequest *request)
{
    g_autoptr(GError) error = NULL;
    GBytes *bytes = export_run_bundle(request, &error);
    if (!bytes) {
        hf_http_respond_error(request, error);
        return;
    }
    hf_http_request_add_header(request, "Content-Disposition", "attachment; filename=\"run.zip\"");
    hf_http_respond_bytes(request, SOUP_STATUS_OK, "application/zip", bytes);
}
