/* SPDX-License-Identifier: Apache-2.0 */
/* A flag means the same everywhere, except for the few that are listed with their command. */
#include "cli/flag-help.h"

#include <string.h>

#include <glib.h>

#include "shared/base/i18n.h"
#include "shared/tool/param.h"

static const struct {
    const char *command; /* NULL: any command */
    const char *flag;
    const char *about;
} flags[] = {
    {"audit", "key", N_("the public key to trust: a file or 64 hexadecimal digits")},
    {"audit", "run", N_("only rows of this run")},
    {"audit", "tool", N_("only rows of this tool")},
    {"audit", "since", N_("only the last 30s, 5m, 1h, 2d")},
    {"desktop", "display", N_("the display to attach to")},
    {"mcp", "desktop", N_("the default desktop of its calls")},
    {"rules", "app", N_("check an application")},
    {"rules", "file", N_("use the rules in this file, not the owner's")},
    {"deny", "reason", N_("a reason that the caller gets")},
    {"token", "grant", N_("limit it to this grant")},
    {"token", "level", N_("its level (default: as configured for its name)")},
    {"token", "role",
     N_("client: sees its own calls; observer: sees everything; owner: may approve on your "
        "behalf")},
    {"watch", "since", N_("start after the event with this number")},
    {NULL, "type", N_("only events of this type or family: approval, call.finished")},
    {NULL, "all", N_("also list the answered ones")},
    {NULL, "app", N_("only this application")},
    {NULL, "caller", N_("only rows of this caller")},
    {NULL, "cost", N_("show what each profile costs an agent, in tokens")},
    {NULL, "depth", N_("colour depth")},
    {NULL, "desktop", N_("only this desktop")},
    {NULL, "dir", N_("only files in this directory")},
    {NULL, "display", N_("use this display as 'main', instead of a private desktop")},
    {NULL, "domain", N_("only this domain")},
    {NULL, "dry_run", N_("only show what would happen")},
    {NULL, "expires", N_("until when: 30m, 2h, 7d, or 2026-12-31T18:00:00Z")},
    {NULL, "for", N_("for how long: 30m, 1h, 2d (default: 1h)")},
    {NULL, "from", N_("pass on a part of this grant")},
    {NULL, "head", N_("a signed audit head that you stored elsewhere")},
    {NULL, "json", N_("print JSON, also for errors")},
    {NULL, "keys", N_("check a key combination: alt+f4")},
    {NULL, "limit", N_("the last N rows (0: all)")},
    {NULL, "max-calls", N_("at most this many calls")},
    {NULL, "max-risk", N_("nothing riskier than this")},
    {NULL, "o", N_("the output file (-: standard output)")},
    {NULL, "override", N_("be stricter than the project: TOOL=require_approval")},
    {NULL, "path", N_("check a path that is written to")},
    {NULL, "print", N_("only print it")},
    {NULL, "private-home", N_("a separate HOME, removed with the desktop")},
    {NULL, "profile", N_("which tools are shown (default: core)")},
    {NULL, "reason", N_("the reason, for the record")},
    {NULL, "remember", N_("do not ask again")},
    {NULL, "run", N_("only this run")},
    {NULL, "scale", N_("the scale at which programs draw")},
    {NULL, "scope", N_("what the answer covers (default: call)")},
    {NULL, "size", N_("width and height in pixels (default: 1920x1080)")},
    {NULL, "text", N_("check typed text")},
    {"undo", "last", N_("how many changes (default: 1)")},
    {"undo", "list", N_("only list the changes, and which can be undone")},
    {"undo", "only", N_("only that step, not the later ones")},
    {"undo", "skip", N_("skip what cannot be undone")},
    {"workflow", "var", N_("a value for ${vars.NAME}; JSON, or text")},
    {"workflow", "timeout", N_("time limit for the whole workflow, in milliseconds")},
    {"workflow", "async", N_("run in the background")},
    {NULL, "to", N_("undo everything since this step")},
    {NULL, "tools", N_("tools, categories, toolset:NAME or *, with commas")},
    {NULL, "url", N_("check an address")},
    {NULL, "virtual", N_("make 'main' a private virtual desktop (the default)")},
    {NULL, "workspace", N_("only windows of these applications that belong to this directory")},
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
    /* gettext translates "" to the header of the catalogue. */
    return param->about && *param->about ? _(param->about) : "";
}
