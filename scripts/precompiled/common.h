/* SPDX-License-Identifier: Apache-2.0 */
/* What most files include, parsed once in the build that the tests use. The other builds do without (-Db_pch=false), so a file that
 * does not name what it needs does not compile there. */
#include <gio/gio.h>
#include <glib.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
