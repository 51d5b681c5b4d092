/* SPDX-License-Identifier: Apache-2.0 */
/* Names on the accessibility bus. */
#pragma once

#define HF_ATSPI_REGISTRY    "org.a11y.atspi.Registry"
#define HF_ATSPI_ROOT        "/org/a11y/atspi/accessible/root"
#define HF_ATSPI_NULL        "/org/a11y/atspi/null"
#define HF_ATSPI_CACHE_PATH  "/org/a11y/atspi/cache"
#define HF_ATSPI_ACCESSIBLE  "org.a11y.atspi.Accessible"
#define HF_ATSPI_APPLICATION "org.a11y.atspi.Application"
#define HF_ATSPI_COLLECTION  "org.a11y.atspi.Collection"
#define HF_ATSPI_TABLE       "org.a11y.atspi.Table"
#define HF_ATSPI_COMPONENT   "org.a11y.atspi.Component"
#define HF_ATSPI_ACTION      "org.a11y.atspi.Action"
#define HF_ATSPI_TEXT        "org.a11y.atspi.Text"
#define HF_ATSPI_VALUE       "org.a11y.atspi.Value"
#define HF_ATSPI_CACHE       "org.a11y.atspi.Cache"
