/* SPDX-License-Identifier: Apache-2.0 */
/* Where programs of a desktop find its proxy. */
#pragma once

#include "stage/environment.h"

/* Listens on the container's loopback address, and tells programs so in their environment. */
gboolean hf_proxy_listener_open(HfEnvironment *environment, int *ret_listener, GError **error);
