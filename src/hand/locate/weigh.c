/* SPDX-License-Identifier: Apache-2.0 */
/* What a thing is called, what it is and how it is, against what was said. Each is a factor: a
 * thing that has the right name and is something else is less likely than one that fits in both. */
#include "hand/locate/pick.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

/* What is not said to be anything: texts and boxes are meant less often than what can be used. */
#define PLAIN_TEXT 0.9
#define PLAIN_AREA 0.55
/* It is taken for what was said, and is it if it is called so. */
#define ALMOST 0.8
/* It has the role, but not the looks. */
#define LESS_LIKELY 0.72
/* A part of the browser, and not of the page that it shows. */
#define AROUND_PAGE 0.75
/* All words are taken for the name, and it has only some of them. */
#define LITERALLY_LESS 0.65
/* What is in it has all the words. */
#define HOLDS 0.9
/* A button of the window manager, which nobody means without naming it. */
#define OF_FRAME 0.5
/* Called just so, and something else than was said: people mix up kinds more often than names. */
#define MISNAMED 0.5
/* So many alike are a crowd, of which none is meant. */
#define CROWD    2
#define IN_CROWD 0.6
/* A small box that tells nothing may be a switch. */
#define BARE_SWITCH 0.88
/* A side bar is high and narrow. */
#define SIDE_BAR_PX 120
#define NO_SIDE_BAR 0.3
/* A section is larger than a thing to use. */
#define PANEL_PX 60
#define NO_PANEL 0.5
/* A title bar of the window manager, lower than one that a program draws, has no tools. */
#define OWN_BAR_PX  36
#define NO_TOOL_BAR 0.3
/* Painted side by side, one of them on another ground. Any other text may be a tab as well, but is
 * not counted with them. */
#define LIKE_TABS 1.0
/* A cell that is ticked counts as a box where there are no others. */
#define LIKE_BOX 0.86
/* A painted box or circle with its text is what people call an option. */
#define LIKE_ENTRY 0.95
/* In another window than the one in front. */
#define BEHIND 0.9
/* A state that is not so, and one that cannot be known. */
#define NOT_SO  0.2
#define UNKNOWN 0.6
/* One that only its picture tells, and one that it denies. */
#define BY_LOOKS    0.85
#define SEEN_NOT_SO 0.4
#define NOT_MARKED  0.5
/* So much of a box makes it that colour, and so much may be a part of it. */
#define MUCH_COLOUR  0.12
#define SOME_COLOUR  0.03
#define PARTLY_SO    0.75
#define OTHER_COLOUR 0.25
/* So much in colour is a switch that is on. */
#define FILLED 0.25
/* A text of a page that may be anything, against one that is only painted. */
#define TOLD_LOOSE 0.95
/* A line of things to use, which nobody calls a bar; and one that is not even a box. */
#define LIKE_BAR   0.95
#define WORDED_BAR 0.8
#define GROUPED    0.97
/* Chips stand side by side. */
#define LONE_CHIP 0.6
/* A picture was said, and a word means the same. */
#define NOT_DRAWN 0.72
/* A text that was only read, of which nothing but its place says that it is to be used. */
#define MERELY_READ 0.55
#define NO_AREA     0.3
/* A field in which several lines can be written; one line is no such thing. */
#define EDITOR_PX 56
/* Of those that have not the name that was said, what has a part of it is more likely. */
#define RESEMBLING 0.2
/* The word for a sort of entries is what something is called. */
#define IS_A_NAME 0.7

static void weigh_name(const HfThing *thing, const HfReading *reading, HfMark *mark)
{
    double best = 0;
    gboolean drawn = hf_name_is_drawn(reading->name);
    for (int i = 0; i < thing->text_count; i++) {
        HfNameFit fit = hf_name_fit(reading->name, thing->texts[i].name);
        if (reading->literal && fit.how == HF_NAME_SHARES)
            fit.score *= LITERALLY_LESS;
        if (drawn && fit.how == HF_NAME_MEANS && thing->texts[i].of != HF_TEXT_OF_LOOKS &&
            *thing->texts[i].name->compact)
            fit.score *= NOT_DRAWN;
        if (thing->texts[i].of == HF_TEXT_OF_CONTENTS && fit.how == HF_NAME_HAS)
            fit.score = MAX(fit.score, HOLDS);
        if (fit.score * thing->texts[i].worth > best) {
            best = fit.score * thing->texts[i].worth;
            mark->how = fit.how;
            mark->of = thing->texts[i].of;
            mark->text = i;
        }
    }
    mark->score *= best;
}

static gboolean is_text(int role)
{
    return role == HF_ROLE_LABEL || role == HF_ROLE_STATIC || role == HF_ROLE_PARAGRAPH ||
           role == HF_ROLE_HEADING || role == HF_ROLE_TABLE_CELL || role == HF_ROLE_IMAGE;
}

/* [ ] Games, 3. Repair: an entry of a list in a terminal. */
static gboolean looks_listed(const HfThing *thing)
{
    const char *text = thing->text_count > 0 ? thing->texts[0].name->normal : "";
    if (thing->role == HF_ROLE_TABLE_ROW) /* its parts are meant */
        return FALSE;
    gsize digits = strspn(text, "0123456789");
    return thing->role != HF_ROLE_LABEL || (*text && strchr("[(*-", *text)) ||
           (digits > 0 && text[digits] && strchr(".):", text[digits]));
}

/* <OK>, [ Cancel ]: a button of a terminal. */
static gboolean is_bracketed(const HfThing *thing)
{
    const char *text =
        hf_thing_is_painted(thing) && thing->text_count > 0 ? thing->texts[0].name->text : "";
    if (thing->role == HF_ROLE_BUTTON && thing->source == HF_SOURCE_OCR)
        return TRUE; /* written as one: its brackets are no part of its name */
    return (g_str_has_prefix(text, "<") && g_str_has_suffix(text, ">")) ||
           (g_str_has_prefix(text, "[") && g_str_has_suffix(text, "]") && strlen(text) > 4);
}

static gboolean is_box(const HfThing *thing)
{
    return thing->role == HF_ROLE_CHECK_BOX || thing->role == HF_ROLE_RADIO_BUTTON;
}

/* What pages make of plain texts; boxes and fields they tell. */
static gboolean may_be_text(HfKind kind)
{
    switch (kind) {
    case HF_KIND_BUTTON:
    case HF_KIND_LINK:
    case HF_KIND_TAB:
    case HF_KIND_MENU:
    case HF_KIND_MENU_ITEM:
    case HF_KIND_ITEM:
    case HF_KIND_CELL:
    case HF_KIND_HEADER:
    case HF_KIND_CHIP:
    case HF_KIND_DISPLAY:
        return TRUE;
    default:
        return FALSE;
    }
}

static gboolean means_bar(HfKind kind)
{
    return kind == HF_KIND_TOOL_BAR || kind == HF_KIND_BAR;
}

static double fit_role(const HfThing *thing, HfKind kind, gboolean named)
{
    double fit = hf_kind_fit(kind, thing->role, hf_thing_is_painted(thing));
    gboolean alone = !named && !thing->tabbed && !thing->listed && !thing->chip;
    if (thing->loose && !hf_thing_is_painted(thing) && may_be_text(kind) && !alone)
        fit = MAX(fit, TOLD_LOOSE * hf_kind_fit(kind, HF_ROLE_LABEL, TRUE));
    if (thing->bar && means_bar(kind) && (thing->grouped || fit < LIKE_BAR))
        fit = kind == HF_KIND_BAR || thing->tools ? LIKE_BAR : WORDED_BAR;
    if (kind == HF_KIND_NAVIGATION && thing->bar)
        fit = thing->leads ? LIKE_BAR : fit * NO_PANEL;
    if (thing->ticks && (kind == HF_KIND_CHECKBOX || kind == HF_KIND_BOX))
        return LIKE_BOX;
    if (kind == HF_KIND_ROW && thing->role == HF_ROLE_ICON && thing->as_row != HF_NODE_NONE)
        return 1;
    if (kind == HF_KIND_CHIP && !thing->chip)
        return fit * LONE_CHIP;
    return thing->grouped ? fit * GROUPED : fit;
}

/* Where a program has a tool bar, other lines of things are none. */
static gboolean is_lesser_bar(const HfScene *scene, const HfThing *thing, HfKind kind)
{
    return kind == HF_KIND_TOOL_BAR && thing->role != HF_ROLE_TOOL_BAR && scene->has_tool_bar;
}

/* What people use, and see that they can. */
static gboolean shows_use(HfKind kind)
{
    switch (kind) {
    case HF_KIND_BUTTON:
    case HF_KIND_CHECKBOX:
    case HF_KIND_RADIO:
    case HF_KIND_SWITCH:
    case HF_KIND_COMBO:
    case HF_KIND_TAB:
    case HF_KIND_LINK:
    case HF_KIND_MENU:
    case HF_KIND_MENU_ITEM:
    case HF_KIND_CHIP:
        return TRUE;
    default:
        return FALSE;
    }
}

static gboolean is_merely_read(const HfThing *thing)
{
    return hf_thing_is_painted(thing) && thing->role == HF_ROLE_LABEL && !thing->tabbed &&
           !thing->listed && !thing->chip && !thing->stands_out && !looks_listed(thing);
}

/* "link button", "radiobutton": its name says what it is. */
static gboolean is_called_so(const HfThing *thing, HfKind kind)
{
    if (thing->text_count == 0 || thing->texts[0].of != HF_TEXT_OF_NAME || thing->area ||
        kind == HF_KIND_BUTTON || hf_kind_is_area(kind))
        return FALSE;
    g_auto(GStrv) words = g_strsplit(hf_kind_name(kind), " ", -1);
    g_autofree char *word = g_strjoinv("", words);
    return strstr(thing->texts[0].name->compact, word) != NULL;
}

/* A switch of GTK 3 is a toggle button without a name; an icon is about as wide as it is high. */
static double fit_kind(const HfThing *thing, HfKind kind, gboolean called)
{
    double fit = fit_role(thing, kind, called);
    if (fit >= ALMOST && is_called_so(thing, kind))
        fit = 1;
    gboolean named = thing->text_count > 0 && thing->texts[0].of == HF_TEXT_OF_NAME;
    gboolean bare =
        !thing->area && !named && (thing->role == HF_ROLE_SECTION || thing->role == HF_ROLE_PANEL);
    if (bare && kind == HF_KIND_SWITCH && thing->box.width > thing->box.height)
        return BARE_SWITCH;
    if (kind == HF_KIND_SIDE_BAR &&
        (thing->box.height < SIDE_BAR_PX || thing->box.height < thing->box.width * 3 / 2))
        return fit * NO_SIDE_BAR;
    if (kind == HF_KIND_DIALOG && (thing->role == HF_ROLE_FRAME || thing->role == HF_ROLE_WINDOW))
        return fit * LESS_LIKELY;
    if (kind == HF_KIND_CARD && MIN(thing->box.width, thing->box.height) < PANEL_PX)
        return fit * NO_PANEL;
    if (kind == HF_KIND_PANEL && MIN(thing->box.width, thing->box.height) < PANEL_PX)
        return fit * NO_PANEL;
    if (kind == HF_KIND_TOOL_BAR && thing->node == HF_NODE_NONE && !thing->grouped &&
        thing->box.height < OWN_BAR_PX)
        return fit * NO_TOOL_BAR;
    if (bare && kind == HF_KIND_ANY)
        return LESS_LIKELY;
    if (kind == HF_KIND_SWITCH && thing->role == HF_ROLE_TOGGLE_BUTTON && named)
        return fit * LESS_LIKELY;
    if (kind == HF_KIND_ITEM && hf_thing_is_painted(thing) && is_box(thing))
        return LIKE_ENTRY;
    if (kind == HF_KIND_BUTTON && is_bracketed(thing))
        return 1;
    if (!called && shows_use(kind) && is_merely_read(thing))
        return fit * MERELY_READ;
    if (!called && hf_kind_is_area(kind) && kind != HF_KIND_ROW && is_merely_read(thing))
        return fit * NO_AREA;
    if (kind == HF_KIND_EDITOR && hf_node_role_is(thing->role, "field"))
        return thing->box.height >= EDITOR_PX ? 1 : fit * LESS_LIKELY;
    if ((kind == HF_KIND_ITEM || kind == HF_KIND_MENU_ITEM) && hf_thing_is_painted(thing) &&
        ((!thing->listed && !looks_listed(thing)) || is_bracketed(thing)))
        return fit * LESS_LIKELY;
    if (kind == HF_KIND_TAB && thing->tabbed && thing->loose)
        return LIKE_TABS;
    gboolean shows = FALSE;
    for (int i = 0; i < thing->text_count; i++)
        shows |= thing->texts[i].of == HF_TEXT_OF_LOOKS;
    if (kind == HF_KIND_ICON && thing->box.width > 2 * thing->box.height && !shows)
        return fit * LESS_LIKELY;
    return fit;
}

static void weigh_kind(const HfScene *scene, const HfThing *thing, const HfReading *reading,
                       HfMark *mark)
{
    HfKind kind = reading->kind;
    if (kind != HF_KIND_ANY)
        mark->kind = fit_kind(thing, kind, reading->name != NULL) *
                     (is_lesser_bar(scene, thing, kind) ? LESS_LIKELY : 1);
    else if (thing->area)
        mark->kind = PLAIN_AREA;
    else
        mark->kind = is_text(thing->role) && !hf_thing_is_painted(thing) ? PLAIN_TEXT : 1;
    mark->score *= mark->kind;
}

static gboolean is_checked(const HfThing *thing)
{
    return thing->current || thing->opened || hf_states_have(thing->states, HF_STATE_CHECKED) ||
           hf_states_have(thing->states, HF_STATE_SELECTED) ||
           hf_states_have(thing->states, HF_STATE_PRESSED);
}

static gboolean is_ticked(const HfThing *thing)
{
    return hf_states_have(thing->states, HF_STATE_CHECKED) ||
           (thing->current && thing->as_row != HF_NODE_NONE);
}

static gboolean can_be_checked(const HfThing *thing)
{
    switch (thing->role) {
    case HF_ROLE_CHECK_BOX:
    case HF_ROLE_RADIO_BUTTON:
    case HF_ROLE_SWITCH:
    case HF_ROLE_TOGGLE_BUTTON:
    case HF_ROLE_CHECK_MENU_ITEM:
    case HF_ROLE_RADIO_MENU_ITEM:
        return TRUE;
    default:
        return thing->ticks || hf_states_have(thing->states, HF_STATE_CHECKABLE) ||
               hf_states_have(thing->states, HF_STATE_SELECTABLE);
    }
}

static gboolean is_so(const HfThing *thing, HfCondition condition)
{
    switch (condition) {
    case HF_IS_CHECKED:
    case HF_IS_ON:
        return is_checked(thing);
    case HF_IS_TICKED:
        return is_ticked(thing);
    case HF_IS_UNCHECKED:
        return can_be_checked(thing) && !is_checked(thing);
    case HF_IS_ENABLED:
        return hf_states_are_enabled(thing->states);
    case HF_IS_DISABLED:
        return !hf_states_are_enabled(thing->states) && thing->node != HF_NODE_NONE;
    case HF_IS_FOCUSED:
        return hf_states_have(thing->states, HF_STATE_FOCUSED);
    case HF_IS_EXPANDED:
        return thing->opened || hf_states_have(thing->states, HF_STATE_EXPANDED);
    case HF_IS_COLLAPSED:
        return hf_states_have(thing->states, HF_STATE_COLLAPSED) ||
               (hf_states_have(thing->states, HF_STATE_EXPANDABLE) &&
                !hf_states_have(thing->states, HF_STATE_EXPANDED));
    case HF_IS_EMPTY:
        return !thing->has_value && !thing->area && !(is_box(thing) && is_checked(thing));
    case HF_IS_WORDLESS:
        return thing->text_count == 0 || thing->texts[0].of > HF_TEXT_OF_DESCRIPTION;
    case HF_IS_UPRIGHT:
        return thing->box.height > thing->box.width;
    case HF_IS_LEVEL:
        return thing->box.width > thing->box.height;
    }
    return FALSE;
}

static gboolean means_current(HfCondition condition)
{
    return condition == HF_IS_CHECKED || condition == HF_IS_ON;
}

/* Pages mark the current entry by its ground, and tell nobody. */
static double fit_told(const HfThing *thing, HfCondition condition)
{
    if (is_so(thing, condition))
        return means_current(condition) && thing->opened ? BY_LOOKS : 1;
    if (condition == HF_IS_TICKED)
        return is_checked(thing) || thing->stands_out ? SEEN_NOT_SO : NOT_SO;
    if (condition == HF_IS_UNCHECKED && thing->role == HF_ROLE_BUTTON && !is_checked(thing))
        return BY_LOOKS; /* GTK 4 tells only when one that stays pressed is */
    return means_current(condition) && thing->stands_out && !can_be_checked(thing) ? BY_LOOKS
                                                                                   : NOT_SO;
}

/* Of what is only painted: boxes show their ticks, and others may stand out or be faint. */
static double fit_seen(const HfThing *thing, HfCondition condition)
{
    gboolean box = is_box(thing) || thing->role == HF_ROLE_SWITCH;
    if (box &&
        (means_current(condition) || condition == HF_IS_UNCHECKED || condition == HF_IS_TICKED))
        return is_so(thing, condition) ? BY_LOOKS : SEEN_NOT_SO;
    if (condition == HF_IS_WORDLESS)
        return is_so(thing, condition) ? 1 : NOT_SO;
    if (means_current(condition))
        return thing->stands_out || is_checked(thing) ||
                       hf_states_have(thing->states, HF_STATE_EXPANDED)
                   ? BY_LOOKS
                   : NOT_MARKED;
    if (condition == HF_IS_TICKED)
        return is_ticked(thing) ? BY_LOOKS : SEEN_NOT_SO;
    if (condition == HF_IS_DISABLED)
        return thing->faint ? BY_LOOKS : UNKNOWN;
    return UNKNOWN;
}

/* A small box of a page that tells nothing and has a colour is a switch that is on. */
static double fit_bare(const HfScene *scene, const HfThing *thing, HfCondition condition)
{
    if (!scene->picture || !(means_current(condition) || condition == HF_IS_UNCHECKED))
        return UNKNOWN;
    HfRect box = {thing->box.x - scene->picture_area.x, thing->box.y - scene->picture_area.y,
                  thing->box.width, thing->box.height};
    double share = 0;
    for (HfColour colour = HF_COLOUR_RED; colour < HF_COLOUR_COUNT; colour++)
        share += hf_colour_share(scene->picture, box, colour);
    return (share >= FILLED) == means_current(condition) ? BY_LOOKS : SEEN_NOT_SO;
}

static gboolean is_bare(const HfThing *thing)
{
    return thing->role == HF_ROLE_SECTION && !thing->area &&
           (thing->text_count == 0 || thing->texts[0].of == HF_TEXT_OF_LABEL);
}

static double fit_state(const HfScene *scene, const HfThing *thing, HfCondition condition)
{
    if (condition == HF_IS_UPRIGHT || condition == HF_IS_LEVEL) {
        int longer = MAX(thing->box.width, thing->box.height);
        int shorter = MIN(thing->box.width, thing->box.height);
        gboolean square = longer * 2 <= shorter * 3; /* what is drawn on it may be so */
        return is_so(thing, condition) || square ? 1 : NOT_SO;
    }
    if (is_bare(thing))
        return fit_bare(scene, thing, condition);
    return hf_thing_is_painted(thing) ? fit_seen(thing, condition) : fit_told(thing, condition);
}

static void weigh_states(const HfScene *scene, const HfThing *thing, guint conditions, HfMark *mark)
{
    for (guint bit = 1; bit <= HF_IS_TICKED; bit <<= 1)
        if (conditions & bit)
            mark->score *= fit_state(scene, thing, (HfCondition)bit);
}

/* Nobody tells colours: they are looked for in the picture, if there is one. */
static void weigh_colour(const HfScene *scene, const HfThing *thing, HfColour colour, HfMark *mark)
{
    if (!scene->picture || thing->area) {
        mark->score *= UNKNOWN;
        return;
    }
    HfRect box = {thing->box.x - scene->picture_area.x, thing->box.y - scene->picture_area.y,
                  thing->box.width, thing->box.height};
    double share = hf_colour_share(scene->picture, box, colour);
    mark->score *= share >= MUCH_COLOUR ? 1 : share >= SOME_COLOUR ? PARTLY_SO : OTHER_COLOUR;
}

/* The frame's buttons are named, and said to be in the window or at one of its corners. */
static gboolean may_be_of_frame(const HfReading *reading)
{
    for (int i = 0; i < reading->tie_count; i++)
        if (reading->ties[i].kind != HF_TIE_SPOT && reading->ties[i].kind != HF_TIE_IN)
            return FALSE;
    return reading->name != NULL;
}

static void weigh(const HfScene *scene, const HfReading *reading, int index, HfMark *mark)
{
    const HfThing *thing = hf_scene_get(scene, index);
    *mark = (HfMark){.score = reading->prior, .reading = reading, .kind = 1};
    for (int i = 0; i < HF_TIES; i++)
        mark->anchors[i] = -1;
    if (reading->name)
        weigh_name(thing, reading, mark);
    if (mark->score <= 0)
        return;
    weigh_kind(scene, thing, reading, mark);
    if (reading->name && mark->how >= HF_NAME_MEANS && mark->kind < MISNAMED) {
        mark->score *= MISNAMED / mark->kind;
        mark->kind = MISNAMED;
    }
    weigh_states(scene, thing, reading->is, mark);
    if (reading->colour && mark->score > 0)
        weigh_colour(scene, thing, reading->colour, mark);
    if (reading->name)
        mark->score *= 0.7 + 0.3 * thing->read;
    if (thing->node == HF_NODE_NONE && !thing->area && !may_be_of_frame(reading))
        mark->score *= OF_FRAME;
    if (thing->around_page)
        mark->score *= AROUND_PAGE;
    if (thing->behind)
        mark->score *= BEHIND;
}

void hf_weigh(const HfScene *scene, const HfReading *reading, HfMark *marks)
{
    for (guint i = 0; i < scene->things->len; i++)
        weigh(scene, reading, (int)i, &marks[i]);
}

/* What has not the name that was said must be the only one of its kind, or there is nothing to go
 * by. */
static void doubt_crowds(const HfScene *scene, HfMark *marks)
{
    double most = 0;
    int alike = 0;
    for (guint i = 0; i < scene->things->len; i++)
        most = MAX(most, marks[i].score);
    for (guint i = 0; i < scene->things->len; i++)
        alike += marks[i].score >= 0.95 * most;
    for (guint i = 0; alike > CROWD && i < scene->things->len; i++)
        marks[i].score *= IN_CROWD;
}

/* "the first file in the second row", of things that have no rows but those that a person sees. */
static const HfReading *find_line(const HfTie *tie)
{
    const HfReading *line = tie->anchor->readings->len > 0 ? tie->anchor->readings->pdata[0] : NULL;
    gboolean inside = tie->kind == HF_TIE_IN || tie->kind == HF_TIE_OF || tie->kind == HF_TIE_ROW ||
                      tie->kind == HF_TIE_SPOT;
    return inside && line && line->kind == HF_KIND_ROW && !line->name ? line : NULL;
}

/* "the last button in the left column". */
static const HfReading *find_column(const HfTie *tie)
{
    const HfReading *column =
        tie->anchor->readings->len > 0 ? tie->anchor->readings->pdata[0] : NULL;
    gboolean inside = tie->kind == HF_TIE_IN || tie->kind == HF_TIE_OF || tie->kind == HF_TIE_SPOT;
    return inside && column && column->kind == HF_KIND_COLUMN && !column->name ? column : NULL;
}

static void weigh_tie(const HfScene *scene, const HfTie *tie, int number, HfMark *marks)
{
    const HfReading *line = find_line(tie), *column = find_column(tie);
    if (column && hf_column_things(scene, column, marks)) {
        if (tie->kind == HF_TIE_SPOT)
            hf_spot_things(scene, tie->spot, (HfRect){0, 0, 0, 0}, marks);
        return;
    }
    if (!line || !hf_line_things(scene, line, marks)) {
        hf_tie_things(scene, tie, number, marks);
        return;
    }
    for (int i = 0; i < line->tie_count; i++)
        hf_tie_things(scene, &line->ties[i], number, marks);
    if (tie->kind == HF_TIE_SPOT)
        hf_spot_things(scene, tie->spot, (HfRect){0, 0, 0, 0}, marks);
}

static void weigh_reading(const HfScene *scene, const HfReading *reading, HfMark *marks)
{
    hf_weigh(scene, reading, marks);
    for (int i = 0; i < reading->tie_count; i++)
        weigh_tie(scene, &reading->ties[i], i, marks);
    if (reading->spot)
        hf_spot_things(scene, reading->spot, (HfRect){0, 0, 0, 0}, marks);
    if (reading->nth)
        hf_count_things(scene, reading->nth, marks);
    if (reading->nameless)
        doubt_crowds(scene, marks);
}

/* Then what was weighed so far is not told: see hf_seek. */
static gboolean is_late(const HfScene *scene)
{
    return scene->deadline && !hf_deadline_check(scene->deadline, NULL);
}

/* Whether something is called just what the other readings say. */
static gboolean is_name_there(const HfScene *scene, const HfMark *marks)
{
    for (guint i = 0; i < scene->things->len; i++)
        if (marks[i].score > 0 && marks[i].reading->name && marks[i].how == HF_NAME_SAME)
            return TRUE;
    return FALSE;
}

void hf_weigh_all(const HfScene *scene, const HfDescription *description, HfMark *marks)
{
    guint count = scene->things->len;
    g_autofree HfMark *own = g_new0(HfMark, count + 1);
    g_autofree double *resembles = g_new0(double, count + 1);
    memset(marks, 0, count * sizeof *marks);
    for (guint i = 0; i < description->readings->len && !is_late(scene); i++) {
        const HfReading *reading = description->readings->pdata[i];
        weigh_reading(scene, reading, own);
        gboolean named = reading->kindless && is_name_there(scene, marks);
        for (guint k = 0; named && k < count; k++)
            own[k].score *= IS_A_NAME;
        for (guint k = 0; k < count; k++) {
            if (reading->name && !reading->literal)
                resembles[k] = MAX(resembles[k], own[k].score);
            if (own[k].score > marks[k].score)
                marks[k] = own[k];
        }
    }
    for (guint k = 0; k < count; k++)
        if (marks[k].reading && marks[k].reading->nameless)
            marks[k].score += RESEMBLING * resembles[k];
}
