/* SPDX-License-Identifier: Apache-2.0 */
/* Unique ids. */
#include "shared/base/id.h"

#include <glib.h>
#include <sys/random.h>

char *hf_id_new(const char *prefix)
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned char random[16];
    /* 16 bytes always arrive complete; the kernel's source cannot fail once the system is up. */
    if (getrandom(random, sizeof random, 0) != sizeof random)
        g_error("the kernel provides no random numbers");
    char text[17] = "";
    for (int i = 0; i < 16; i++)
        text[i] = digits[random[i] % 32];
    return g_strdup_printf("%s_%s", prefix, text);
}
