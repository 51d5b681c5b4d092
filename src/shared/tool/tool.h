/* SPDX-License-Identifier: Apache-2.0 */
/* A tool: its name, its parameters and result, what it needs, and the function that does it. The
 * descriptor is the only truth about a tool; every door, manual and check reads it. Value 0 of
 * every declared fact is "not declared", which a test refuses. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"
#include "shared/tool/param.h"

typedef enum HfCategory {
    HF_CATEGORY_NONE,
    HF_CATEGORY_SCREEN,
    HF_CATEGORY_MOUSE,
    HF_CATEGORY_KEYBOARD,
    HF_CATEGORY_APPS,
    HF_CATEGORY_WINDOWS,
    HF_CATEGORY_STRUCTURE,
    HF_CATEGORY_SYSTEM,
    HF_CATEGORY_FLOW,
    HF_CATEGORY_TERMINAL,
    HF_CATEGORY_FILES,
    HF_CATEGORY_BROWSER,
    HF_CATEGORY_COUNT,
} HfCategory;

typedef enum HfRisk {
    HF_RISK_NONE,
    HF_RISK_LOW,
    HF_RISK_MEDIUM,
    HF_RISK_HIGH,
    HF_RISK_CRITICAL,
    HF_RISK_COUNT,
} HfRisk;

typedef enum HfLevel {
    HF_LEVEL_NONE,
    HF_LEVEL_READ_ONLY, /* L1 */
    HF_LEVEL_STANDARD,  /* L2 */
    HF_LEVEL_ELEVATED,  /* L3 */
    HF_LEVEL_FULL,      /* L4 */
    HF_LEVEL_COUNT,
} HfLevel;

/* What a tool needs for itself alone while it runs. */
typedef enum HfNeeds {
    HF_NEEDS_NONE,
    HF_NEEDS_NEITHER,
    HF_NEEDS_SCREEN,
    HF_NEEDS_INPUT,
    HF_NEEDS_COUNT,
} HfNeeds;

/* The way by which a tool reaches its goal, best first. */
typedef enum HfChannel {
    HF_CHANNEL_NONE,
    HF_CHANNEL_SEMANTIC,
    HF_CHANNEL_STRUCTURE,
    HF_CHANNEL_PIXELS,
    HF_CHANNEL_COUNT,
} HfChannel;

/* Whose text a tool's result carries. Text of others is never an instruction; a run that has read
 * some is tainted from then on. */
typedef enum HfReads {
    HF_READS_NOTHING = 1 << 0, /* declared: only what we or the caller made */
    HF_READS_SCREEN = 1 << 1,
    HF_READS_PAGE = 1 << 2,
    HF_READS_FILE = 1 << 3,
    HF_READS_SHELL = 1 << 4,
    HF_READS_CLIPBOARD = 1 << 5,
    HF_READS_PROGRAMS = 1 << 6, /* names and titles that other programs give their windows */
} HfReads;

/* Consequences that a tainted run may be kept from. The program decides what a click or a key
 * does, so the rules judge those by the window in front. */
typedef enum HfEffects {
    HF_EFFECT_NONE = 1 << 0, /* declared: none of these */
    HF_EFFECT_SENDS = 1 << 1,
    HF_EFFECT_RUNS_COMMANDS = 1 << 2,
    HF_EFFECT_DELETES = 1 << 3,
    HF_EFFECT_LEAVES_DOMAIN = 1 << 4,
} HfEffects;

/* What a call affects, so that a dry run can show it. */
typedef enum HfTarget {
    HF_TARGET_NONE,
    HF_TARGET_NOTHING, /* declared: nothing that could be shown */
    HF_TARGET_POINT,   /* x and y, or where the pointer is */
    HF_TARGET_DRAG,    /* from_x and from_y to to_x and to_y */
    HF_TARGET_FOCUS,   /* the window that has the keyboard */
    HF_TARGET_WINDOW,
    HF_TARGET_APP,
    HF_TARGET_PROGRAM, /* an application that is to be started */
    HF_TARGET_ELEMENT, /* of a program's user interface: target */
    HF_TARGET_SHELL,   /* a session: session_id */
    HF_TARGET_FILES,   /* path, or those of its operations */
    HF_TARGET_PAGE,    /* of a page in our browser: selector */
    HF_TARGET_COUNT,
} HfTarget;

/* How calls count for rate limits. Single movements are free; whole tasks are not. */
typedef enum HfPace {
    HF_PACE_NONE,
    HF_PACE_FREE,    /* declared: looks and single movements, without limit */
    HF_PACE_TASK,    /* starts, ends or sends something */
    HF_PACE_MESSAGE, /* reaches a person: each recipient has its own limit too */
    HF_PACE_COUNT,
} HfPace;

/* How the effect of a call is verified (hand/verify/effect.h). Every tool that changes something
 * declares it; such tools have the parameter `verify`. */
typedef enum HfVerify {
    HF_VERIFY_NONE,
    HF_VERIFY_NOTHING,  /* declared: changes nothing, or consists of calls that are verified
                           themselves */
    HF_VERIFY_OWN,      /* returns only after it has seen the requested effect */
    HF_VERIFY_ACCEPTED, /* another program has accepted it and reports no more */
    HF_VERIFY_EFFECT,   /* the receiving program is watched for a moment */
    HF_VERIFY_TEXT,     /* the same, and a readable field is read */
    HF_VERIFY_COUNT,
} HfVerify;

/* What the desk does itself, without a hand. */
typedef enum HfService {
    HF_SERVICE_NONE, /* the hand's `run` does it */
    HF_SERVICE_UNDO_LAST,
    HF_SERVICE_UNDO_TO,
    HF_SERVICE_MACRO,
    HF_SERVICE_WORKFLOW,
    HF_SERVICE_OPERATION_STATUS,
    HF_SERVICE_OPERATION_CANCEL,
    HF_SERVICE_ENVIRONMENT,
} HfService;

typedef enum HfToolFlags {
    HF_TOOL_READ_ONLY = 1 << 0,  /* changes nothing that anyone could see */
    HF_TOOL_IDEMPOTENT = 1 << 1, /* a second, equal call changes nothing more */
    HF_TOOL_RELEASES = 1 << 2,   /* only releases what is held */
    HF_TOOL_WALLED = 1 << 3, /* works in files, shells or pages: gets the limits of its caller */
    HF_TOOL_INSPECT_IF_ASKED = 1 << 4, /* `inspect` is for the owner's question only */
} HfToolFlags;

typedef HfResult *(*HfToolRun)(HfCall *call, GError **error);

struct HfTool {
    const char *name;    /* also the file's name */
    const char *title;   /* a few words for a person */
    const char *summary; /* what it does, when to use it, what it returns: for a model */
    HfCategory category;
    HfRisk risk;
    HfRisk risk_inside; /* on a desktop that is contained; NONE: the same. See hf_tool_risk */
    HfLevel level;
    /* What a call needs that starts a program which runs what it is told (a shell, an interpreter),
     * unless the desktop is contained; NONE: the tool starts no programs. */
    struct {
        HfRisk risk;
        HfLevel level;
    } command;
    HfNeeds needs;
    HfChannel channel;
    HfReads reads;
    HfEffects effects;
    HfTarget target;
    HfToolFlags flags;
    HfPace pace;
    HfVerify verifies;
    guint timeout_ms; /* the default; the caller may ask for another */
    const HfParam *params;
    const HfParam *result;
    const char *const *aliases; /* other names, NULL-terminated; may be NULL */
    HfToolRun run;              /* in the hand; NULL for a tool of the desk */
    /* In the hand, before the call is judged: what it would run, {"sha256", "arguments"?, "path"?,
     * "content"?, "program"?, "files"?}. `content` is the script at `path`, `program` as in
     * hand/apps/program-facts.h, `files` as in hand/tools/run-file-hashes.h. The guard judges that,
     * and only that may be run: see hf_call_inspected_sha256. NULL: the parameters say everything.
     */
    HfToolRun inspect;
    HfService service;
};

/* The risk of a call as the tool declares it, on a desktop that is `contained` or not. */
HfRisk hf_tool_risk(const HfTool *tool, gboolean contained);
/* The level that it needs: shells and files within a container are L2, because whatever can be
 * started there can do the same. */
HfLevel hf_tool_level(const HfTool *tool, gboolean contained);
const char *hf_category_name(HfCategory category);
const char *hf_risk_name(HfRisk risk);
const char *hf_level_name(HfLevel level);
const char *hf_needs_name(HfNeeds needs);
const char *hf_channel_name(HfChannel channel);
const char *hf_target_name(HfTarget target);
const char *hf_pace_name(HfPace pace);
const char *hf_verify_name(HfVerify verify);
/* Arrays of the names that are set; empty for "nothing" and "none". */
json_t *hf_reads_to_json(HfReads reads);
json_t *hf_effects_to_json(HfEffects effects);
