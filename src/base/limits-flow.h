/* Limits of workflows, of calls in the background and of notices. */
#pragma once

#include "base/limits.h"

/* Buttons of a notice, and how long one may be waited for. */
#define HF_LIMIT_NOTICE_ACTIONS 8
#define HF_LIMIT_NOTICE_WAIT_MS 60000
/* Workflows: steps as they are written, how deep they nest, members of a list that is gone through,
 * steps that one run of it goes through, how long one value may become that is put together from others,
 * how much of all results is kept for later steps, and a reference: its text and its parts. */
#define HF_LIMIT_FLOW_STEPS           200
#define HF_LIMIT_FLOW_DEPTH           8
#define HF_LIMIT_FLOW_ITEMS           500
#define HF_LIMIT_FLOW_CALLS           1000
#define HF_LIMIT_FLOW_VALUE_BYTES     ((gsize)1024 * 1024)
#define HF_LIMIT_FLOW_RESULT_BYTES    ((gsize)16 * 1024 * 1024)
#define HF_LIMIT_FLOW_REFERENCE_BYTES 512u
#define HF_LIMIT_FLOW_VALUE_DEPTH     32
/* Calls that go on in the background: how many at a time, of one caller and in all; how long one
 * may be waited for; how many are remembered after their end, for how long, how much of an answer
 * and of all binary parts on the disk; and how many whole answers are kept in memory. */
#define HF_LIMIT_OPERATIONS             64u
#define HF_LIMIT_OPERATIONS_OF_ONE      16u
#define HF_LIMIT_OPERATION_WAIT_MS      60000
#define HF_LIMIT_OPERATIONS_STORED      1000
#define HF_LIMIT_OPERATIONS_KEEP_MS     ((gint64)24 * 3600 * 1000)
#define HF_LIMIT_OPERATION_BYTES        ((gsize)4 * 1024 * 1024)
#define HF_LIMIT_OPERATIONS_FILES_BYTES ((gint64)256 * 1024 * 1024)
#define HF_LIMIT_OPERATIONS_KNOWN       64u
#define HF_LIMIT_OPERATIONS_KNOWN_BYTES ((gsize)32 * 1024 * 1024)


/* dev */
#include "tool/tool.h"
#define HF_SERVICE_WORKFLOW ((HfService)4)
#define HF_SERVICE_OPERATION_STATUS ((HfService)5)
#define HF_SERVICE_OPERATION_CANCEL ((HfService)6)
#define HF_SERVICE_ENVIRONMENT ((HfService)7)
#define HF_ERROR_OPERATION_NOT_FOUND HF_ERROR_RUN_NOT_FOUND
