/* SPDX-License-Identifier: Apache-2.0 */
/* Forward typedefs only, so that headers can name each other's types without including them. */
#pragma once

#include <glib.h>

typedef struct HfAnswer HfAnswer;
typedef struct HfBackend HfBackend;
typedef struct HfCall HfCall;
typedef struct HfCallContext HfCallContext;
typedef struct HfCapture HfCapture;
typedef struct HfClipboardData HfClipboardData;
typedef struct HfDeadline HfDeadline;
typedef struct HfDesktop HfDesktop;
typedef struct HfErrand HfErrand;
typedef struct HfFence HfFence;
typedef struct HfImage HfImage;
typedef struct HfInputJournal HfInputJournal;
typedef struct HfNode HfNode;
typedef struct HfParam HfParam;
typedef struct HfResult HfResult;
typedef struct HfStageOptions HfStageOptions;
typedef struct HfTool HfTool;
typedef struct HfWindow HfWindow;
