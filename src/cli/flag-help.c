/* SPDX-License-Identifier: Apache-2.0 */
/* A flag means the same wherever it stands, but for those few that are named with their command. */
#include "cli/flag-help.h"

#include <string.h>

#include <glib.h>

#include "shared/base/i18n.h"
#include "shared/tool/param.h"

static const struct {
    const char *command; /* NULL: any */
    const char *flag;
    const char *about;
} flags[] = {
    {"audit", "key", N_("the public key to trust: a file or 64 hexadecimal digits")},
    {"audit", "run", N_("only rows of this run")},
    {"audit", "tool", N_("only rows of this tool")},
    {"audit", "since", N_("only the last 30s, 5m, 1h, 2d")},
    {"desktop", "display", N_("the display to attach to")},
    {"mcp", "desktop", N_("the desktop of calls that name none")},
    {"rules", "app", N_("weigh an application")},
    {"rules", "file", N_("rules of this file in place of the owner's")},
    {"deny", "reason", N_("what the caller is told")},
    {"token", "grant", N_("bind it to this grant")},
    {"token", "level", N_("its level (default: what the agreement says of its name)")},
    {"token", "role",
     N_("client: sees what is its own; observer: sees everything; owner: answers for you")},
    {"watch", "since", N_("take up after the event with this number")},
    {NULL, "type", N_("only events of this type or family: approval, call.finished")},
    {NULL, "all", N_("those that were answered too")},
    {NULL, "app", N_("only this application")},
    {NULL, "caller", N_("only rows of this caller")},
    {NULL, "cost", N_("what each profile costs an agent, in tokens")},
    {NULL, "depth", N_("colour depth")},
    {NULL, "desktop", N_("only this desktop")},
    {NULL, "dir", N_("only files in this directory")},
    {NULL, "display", N_("use this display as 'main' (default: $DISPLAY)")},
    {NULL, "domain", N_("only this domain")},
    {NULL, "dry_run", N_("only say what would happen")},
    {NULL, "expires", N_("until when: 30m, 2h, 7d, or 2026-12-31T18:00:00Z")},
    {NULL, "for", N_("for how long: 30m, 1h, 2d (default: 1h)")},
    {NULL, "from", N_("hand on a part of this grant")},
    {NULL, "head", N_("a head that was kept elsewhere")},
    {NULL, "json", N_("print JSON, also of errors")},
    {NULL, "keys", N_("weigh a chord: alt+f4")},
    {NULL, "limit", N_("the last N rows (0: all)")},
    {NULL, "max-calls", N_("how many calls in all")},
    {NULL, "max-risk", N_("nothing riskier than this")},
    {NULL, "o", N_("where it is written (-: standard output)")},
    {NULL, "override", N_("ask more than the project does: TOOL=require_approval")},
    {NULL, "path", N_("weigh a path that is written")},
    {NULL, "print", N_("only show it")},
    {NULL, "private-home", N_("a HOME of its own that ends with it")},
    {NULL, "profile", N_("which tools are shown (default: core)")},
    {NULL, "reason", N_("why, for those who read it later")},
    {NULL, "remember", N_("do not ask again")},
    {NULL, "run", N_("only this run")},
    {NULL, "scale", N_("how much larger programs draw")},
    {NULL, "scope", N_("what is remembered (default: call)")},
    {NULL, "size", N_("width and height in pixels (default: 1920x1080)")},
    {NULL, "text", N_("weigh typed text")},
    {"undo", "last", N_("so many changes (default: 1)")},
    {"undo", "list", N_("only show what was changed, and what of it can be taken back")},
    {"undo", "only", N_("only that step, not what came after it")},
    {"undo", "skip", N_("pass over what has no way back")},
    {"workflow", "var", N_("a value for ${vars.NAME}; JSON, or text")},
    {"workflow", "timeout", N_("milliseconds for all of it")},
    {"workflow", "async", N_("go on in the background")},
    {NULL, "to", N_("undo everything since this step")},
    {NULL, "tools", N_("tools, categories, toolset:NAME or *, with commas")},
    {NULL, "url", N_("weigh an address")},
    {NULL, "virtual", N_("make 'main' a virtual desktop even if there is a display")},
    {NULL, "workspace", N_("of these applications only windows that belong to this directory")},
};

const char *hf_cli_flag_about(const char *command, const char *flag)
{
    for (gsize i = 0; i < G_N_ELEMENTS(flags); i++)
        if ((!flags[i].command || strcmp(flags[i].command, command) == 0) &&
            strcmp(flags[i].flag, flag) == 0)
            return _(flags[i].about);
    return "";
}

const char *hf_cli_param_about(const HfParam *param)
{
    /* The translation of "" is the head of the catalogue. */
    return param->about && *param->about ? _(param->about) : "";
}
