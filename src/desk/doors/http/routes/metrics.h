/* SPDX-License-Identifier: Apache-2.0 */
/* Counters, and GET /metrics in the text format of Prometheus. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "desk/records/events/events.h"

typedef struct HfHttpMetrics HfHttpMetrics;

/* Counts calls at all doors from now on. */
HfHttpMetrics *hf_http_metrics_new(HfEvents *events);
void hf_http_metrics_free(HfHttpMetrics *metrics);

void hf_http_handle_metrics(HfHttpRequest *request);
