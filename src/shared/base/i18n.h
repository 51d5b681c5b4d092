/* SPDX-License-Identifier: Apache-2.0 */
/* Texts for people, in their language. Only the command line and the desk's banner speak to
 * people; answers on the wire stay English, and the command line translates those it knows. The
 * translations are in po/. */
#pragma once

#include <libintl.h>

#define _(text)  gettext(text)
#define N_(text) text

/* Chooses the language of the environment; finds the catalogues beside the program. */
void hf_i18n_init(void);
