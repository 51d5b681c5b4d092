/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the browser. */
#pragma once

/* Browsers of one hand (one for each caller), ended ones whose tabs are remembered, and how long
 * one may take to start and to exit. */
#define HF_LIMIT_BROWSERS         4u
#define HF_LIMIT_LOST_BROWSERS    64u
#define HF_LIMIT_BROWSER_START_MS 20000
#define HF_LIMIT_BROWSER_END_MS   1500
/* One message of the DevTools protocol: a picture of a page is the largest. */
#define HF_LIMIT_CDP_MESSAGE_BYTES ((gsize)128 * 1024 * 1024)
/* Tabs of one browser, frames of a page that are searched, a selector and an address. */
#define HF_LIMIT_TABS                64u
#define HF_LIMIT_PAGE_FRAMES         128u
#define HF_LIMIT_PAGE_SELECTOR_BYTES 4096u
#define HF_LIMIT_URL_BYTES           32768u
/* Text of a page in one answer, at most and by default. */
#define HF_LIMIT_PAGE_CHARS 1000000
#define HF_PAGE_CHARS       20000
/* How long to wait for a page that an action has started to load, unless the wait is the call's
 * whole purpose. */
#define HF_PAGE_FOLLOW_MS 5000
/* For a tree of the desktop: how long a page may take to report its elements, and how many. */
#define HF_PAGE_SIGHT_MS     200
#define HF_LIMIT_PAGE_SIGHTS 600u
/* The proxy: connections of one browser, and refused or failed ones that are remembered. */
#define HF_LIMIT_PROXY_CONNECTIONS 512u
#define HF_LIMIT_PROXY_NOTES       64u
/* Downloads that are remembered, and files of one upload. */
#define HF_LIMIT_DOWNLOADS_KEPT 64u
#define HF_LIMIT_UPLOAD_FILES   32
