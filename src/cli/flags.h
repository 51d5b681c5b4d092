/* What the flags of commands mean, for help and completion. */
#pragma once

/* One line, in the person's language; "" when nothing is known. `command` may give a flag a meaning
 * of its own. */
const char *hf_cli_flag_about(const char *command, const char *flag);
