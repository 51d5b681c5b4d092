/* SPDX-License-Identifier: Apache-2.0 */
/* A table: each kind with the roles that it means, and those that people take for it. */
#include "hand/locate/kinds.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"

/* What a role is worth that is only taken for the kind, one that has nothing to do with it, and a
 * text on a picture, which may be on anything. */
#define KIN     0.82
#define FOREIGN 0.3
#define PAINTED 0.88
#define UNTOLD  0.5

/* Names of roles with blanks around them; `text`: what a painted text is worth. */
static const struct {
    const char *name, *means, *kin;
    double text;
} kinds[HF_KIND_COUNT] = {
    [HF_KIND_ANY] = {"element", "", "", 1},
    [HF_KIND_BUTTON] = {"button", " button toggle-button menu-button ",
                        " link menu-item radio-button icon image switch page-tab ", 0.86},
    [HF_KIND_FIELD] = {"field",
                       " entry text password-text spin-button editbar autocomplete date-editor ",
                       " combo-box terminal document-text document-web document-frame ", 0.35},
    [HF_KIND_CHECKBOX] = {"check box", " check-box check-menu-item ",
                          " switch toggle-button radio-button ", 0.8},
    [HF_KIND_RADIO] = {"radio button", " radio-button radio-menu-item ", " toggle-button ", 0.8},
    [HF_KIND_SWITCH] = {"switch", " switch toggle-button ", " check-box ", 0.6},
    [HF_KIND_SLIDER] = {"slider", " slider ", " scroll-bar dial progress-bar level-bar ", 0.35},
    [HF_KIND_SPIN] = {"spin box", " spin-button ", " entry text slider ", 0.35},
    [HF_KIND_COMBO] = {"drop-down", " combo-box menu-button list-box ",
                       " list button toggle-button entry ", 0.7},
    [HF_KIND_LINK] = {"link", " link ", " button label static menu-item ", PAINTED},
    [HF_KIND_TAB] = {"tab", " page-tab ", " radio-button toggle-button button list-item link ",
                     0.86},
    [HF_KIND_MENU] = {"menu", " menu popup-menu menu-button ",
                      " menu-item toggle-button button combo-box ", PAINTED},
    [HF_KIND_MENU_ITEM] = {"menu item",
                           " menu-item check-menu-item radio-menu-item tearoff-menu-item menu ",
                           " list-item button ", PAINTED},
    [HF_KIND_MENU_BAR] = {"menu bar", " menu-bar ", " tool-bar ", 0.3},
    [HF_KIND_LIST] = {"list", " list list-box ", " tree table tree-table menu ", 0.3},
    [HF_KIND_ITEM] = {"item",
                      " list-item menu-item tree-item check-menu-item radio-menu-item table-row ",
                      " table-cell icon check-box radio-button option menu page-tab label link "
                      "entry text spin-button toggle-button button ",
                      1},
    [HF_KIND_TABLE] = {"table", " table tree-table ", " tree list document-spreadsheet ", 0.3},
    [HF_KIND_ROW] = {"row", " table-row tree-item list-item article ", " table-cell label ", 0.85},
    [HF_KIND_COLUMN] = {"column", " column-header table-column-header header ",
                        " table-cell label button ", 0.85},
    [HF_KIND_CELL] = {"cell", " table-cell ", " label entry text list-item ", PAINTED},
    [HF_KIND_HEADER] = {"header",
                        " column-header table-column-header row-header table-row-header header ",
                        " button label heading ", PAINTED},
    [HF_KIND_TREE] = {"tree", " tree tree-table ", " list table ", 0.3},
    [HF_KIND_ICON] = {"icon", " icon image desktop-icon ",
                      " button toggle-button menu-button link list-item radio-button ", UNTOLD},
    [HF_KIND_LABEL] = {"text", " label static paragraph heading status-bar ",
                       " text entry table-cell caption section link ", 1},
    [HF_KIND_HEADING] = {"heading", " heading label ",
                         " static paragraph section column-header table-column-header ", 0.9},
    [HF_KIND_WINDOW] = {"window",
                        " frame window dialog alert file-chooser color-chooser font-chooser ",
                        " internal-frame ", 0.2},
    [HF_KIND_DIALOG] = {"dialog", " dialog alert file-chooser color-chooser font-chooser ",
                        " frame window panel section form grouping ", 0.2},
    [HF_KIND_TOOL_BAR] = {"tool bar", " tool-bar ",
                          " panel title-bar menu-bar filler landmark header ", 0.2},
    [HF_KIND_STATUS_BAR] = {"status bar", " status-bar ", " panel label ", 0.4},
    [HF_KIND_TITLE_BAR] = {"title bar", " title-bar ", " header panel ", 0.2},
    [HF_KIND_SCROLL_BAR] = {"scroll bar", " scroll-bar ", " slider ", 0.2},
    [HF_KIND_PROGRESS] = {"progress bar", " progress-bar level-bar ", " slider ", 0.3},
    [HF_KIND_EDITOR] = {"text area", " text document-text terminal document-frame ",
                        " entry document-web ", 0.3},
    [HF_KIND_PANEL] = {"section", " panel section grouping landmark form scroll-pane article ",
                       " heading label list ", 0.6},
    [HF_KIND_SIDE_BAR] = {"side bar", " panel section grouping landmark list list-box tree ",
                          " scroll-pane article filler viewport menu ", 0.2},
    [HF_KIND_BOX] = {"box", " entry text password-text check-box combo-box spin-button ",
                     " list panel dialog form autocomplete radio-button ", 0.5},
    [HF_KIND_BAR] = {"bar", " tool-bar menu-bar status-bar entry text scroll-bar progress-bar ",
                     " panel title-bar combo-box page-tab-list ", 0.5},
    [HF_KIND_SCREEN] = {"screen", " desktop-frame ", "", 0.1},
    [HF_KIND_PAGE] = {"page", " document-web document-frame page ",
                      " page-tab panel document-text ", 0.3},
    [HF_KIND_DISPLAY] = {"display", " text entry label static spin-button table-cell ",
                         " document-text paragraph combo-box ", 0.9},
    [HF_KIND_CARD] = {"card", " article list-item ", " grouping panel section table-row ", 0.3},
    [HF_KIND_NAVIGATION] = {"navigation", " landmark menu-bar ",
                            " tool-bar list panel section tree ", 0.2},
    [HF_KIND_POPUP] = {"popup menu", " menu popup-menu ", " list list-box dialog grouping panel ",
                       0.2},
    [HF_KIND_TABS] = {"row of tabs", " page-tab-list ", " tool-bar panel ", 0.3},
    [HF_KIND_CHIP] = {"chip", " button toggle-button radio-button check-box ",
                      " link label static list-item page-tab ", 0.8},
};

const char *hf_kind_name(HfKind kind)
{
    return kinds[kind].name;
}

static gboolean names_role(const char *names, int role)
{
    g_autofree char *wanted = g_strconcat(" ", hf_node_role_name(role), " ", NULL);
    return strstr(names, wanted) != NULL;
}

static double *make_table(void)
{
    double *table = g_new0(double, HF_KIND_COUNT *HF_ROLE_COUNT);
    for (int kind = 0; kind < HF_KIND_COUNT; kind++)
        for (int role = 0; role < HF_ROLE_COUNT; role++)
            table[kind * HF_ROLE_COUNT + role] =
                kind == HF_KIND_ANY || names_role(kinds[kind].means, role) ? 1
                : names_role(kinds[kind].kin, role)                        ? KIN
                                                                           : FOREIGN;
    return table;
}

double hf_kind_fit(HfKind kind, int role, gboolean painted)
{
    static gsize table;
    if (g_once_init_enter(&table))
        g_once_init_leave(&table, (gsize)make_table());
    if (role < 0 || role >= HF_ROLE_COUNT)
        return FOREIGN;
    double told = ((const double *)table)[kind * HF_ROLE_COUNT + role];
    return painted && role == HF_ROLE_LABEL ? kinds[kind].text : told;
}

gboolean hf_kind_is_area(HfKind kind)
{
    switch (kind) {
    case HF_KIND_MENU_BAR:
    case HF_KIND_LIST:
    case HF_KIND_TABLE:
    case HF_KIND_ROW:
    case HF_KIND_TREE:
    case HF_KIND_WINDOW:
    case HF_KIND_DIALOG:
    case HF_KIND_TOOL_BAR:
    case HF_KIND_STATUS_BAR:
    case HF_KIND_TITLE_BAR:
    case HF_KIND_PANEL:
    case HF_KIND_SIDE_BAR:
    case HF_KIND_SCREEN:
    case HF_KIND_PAGE:
    case HF_KIND_CARD:
    case HF_KIND_NAVIGATION:
    case HF_KIND_POPUP:
    case HF_KIND_TABS:
        return TRUE;
    default:
        return FALSE;
    }
}
