/* SPDX-License-Identifier: Apache-2.0 */
/* The X server's key, the window manager's settings, the accessibility service, an empty home.
 * Accessibility is turned on by how its launcher is started, not by a property: setting that would
 * write to the user's settings and start three processes for nothing. */
#include "stage/session-files.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "shared/base/error.h"
#include "shared/wire/stage-protocol.h"
#include "stage/openbox-rc.h"

#define FAMILY_LOCAL       256
#define FAMILY_WILD        65535
#define ACCESSIBILITY      "org.a11y.Bus"
#define ACCESSIBILITY_FILE "dbus-1/services/" ACCESSIBILITY ".service"
#define ACCESSIBILITY_SERVICE                                                                      \
    "[D-BUS Service]\n"                                                                            \
    "Name=" ACCESSIBILITY "\n"                                                                     \
    "Exec=%s --a11y=1\n"

static gboolean write_session_file(const char *directory, const char *name, const char *bytes,
                                   gsize length, GError **error)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    g_autofree char *folder = g_path_get_dirname(path);
    g_autoptr(GError) reason = NULL;
    if (g_mkdir_with_parents(folder, 0700) < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create '%s': %s", folder,
                       g_strerror(errno));
    if (!g_file_set_contents_full(path, bytes, (gssize)length, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                  &reason))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "%s", reason->message);
    return TRUE;
}

static void append_counted(GByteArray *record, const void *bytes, guint length)
{
    const guint8 count[] = {(guint8)(length >> 8), (guint8)length};
    g_byte_array_append(record, count, sizeof count);
    g_byte_array_append(record, bytes, length);
}

static void append_authority_entry(GByteArray *file, guint family, const char *address,
                                   const char *number, const guint8 *cookie)
{
    static const char method[] = "MIT-MAGIC-COOKIE-1";
    const guint8 kind[] = {(guint8)(family >> 8), (guint8)family};
    g_byte_array_append(file, kind, sizeof kind);
    append_counted(file, address, (guint)strlen(address));
    append_counted(file, number, (guint)strlen(number));
    append_counted(file, method, sizeof method - 1);
    append_counted(file, cookie, HF_COOKIE_BYTES);
}

gboolean hf_session_files_make_cookie(guint8 *ret_cookie, GError **error)
{
    if (getrandom(ret_cookie, HF_COOKIE_BYTES, 0) == HF_COOKIE_BYTES)
        return TRUE;
    return hf_fail(error, HF_ERROR_INTERNAL, "cannot get random numbers: %s", g_strerror(errno));
}

/* The X server has not chosen its number yet when it reads the file, so there is a key for any
 * number; but some clients (python-xlib) only find one with the right address and number. */
gboolean hf_session_files_write_authority(const char *directory, const guint8 *cookie,
                                          const char *number, GError **error)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    if (number)
        append_authority_entry(file, FAMILY_LOCAL, g_get_host_name(), number, cookie);
    append_authority_entry(file, FAMILY_WILD, "", "", cookie);
    return write_session_file(directory, "Xauthority", (const char *)file->data, file->len, error);
}

/* How this machine starts the accessibility bus; NULL: it has none. */
static char *dup_launcher(void)
{
    const char *const *places = g_get_system_data_dirs();
    for (gsize i = 0; places[i]; i++) {
        g_autofree char *path = g_build_filename(places[i], ACCESSIBILITY_FILE, NULL);
        g_autoptr(GKeyFile) file = g_key_file_new();
        if (g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL))
            return g_key_file_get_string(file, "D-BUS Service", "Exec", NULL);
    }
    return NULL;
}

/* In the desktop's XDG_RUNTIME_DIR, where a bus looks for services first. */
static gboolean write_accessibility(const char *directory, gboolean *ret_accessible, GError **error)
{
    g_autofree char *launcher = dup_launcher();
    *ret_accessible = launcher != NULL;
    if (!launcher)
        return TRUE;
    g_autofree char *text = g_strdup_printf(ACCESSIBILITY_SERVICE, launcher);
    return write_session_file(directory, ACCESSIBILITY_FILE, text, strlen(text), error);
}

/* With the folders that some programs take for granted. */
static gboolean make_home(const char *directory, GError **error)
{
    static const char *const folders[] = {"home/.config", "home/.cache", "home/.local/share"};
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = g_build_filename(directory, folders[i], NULL);
        if (g_mkdir_with_parents(path, 0700) < 0)
            return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create '%s': %s", path,
                           g_strerror(errno));
    }
    return TRUE;
}

gboolean hf_session_files_write(const HfStageOptions *options, const char *directory,
                                gboolean *ret_accessible, GError **error)
{
    if (options->own_home && !make_home(directory, error))
        return FALSE;
    return write_session_file(directory, "openbox.xml", hf_openbox_rc, strlen(hf_openbox_rc),
                              error) &&
           write_accessibility(directory, ret_accessible, error);
}
