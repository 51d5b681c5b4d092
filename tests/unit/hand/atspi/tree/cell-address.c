/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/atspi/tree/cell-address.c. */
#include "hand/atspi/tree/cell-address.h"

typedef struct Case {
    const char *text;
    int column, row;
} Case;

static const Case cases[] = {
    {"A1", 1, 1},
    {"B2", 2, 2},
    {"b2", 2, 2},
    {"Z10", 26, 10},
    {"AA1", 27, 1},
    {"AZ99", 52, 99},
    {"BA99", 53, 99},
    {"$C$3", 0, 0},
    {"XFD1048576", 16384, 1048576},
    {"XFE1", 0, 0},
    {"A1048577", 0, 0},
    {"A0", 0, 0},
    {"A01", 0, 0},
    {"A", 0, 0},
    {"1", 0, 0},
    {"", 0, 0},
    {"A1 ", 0, 0},
    {" A1", 0, 0},
    {"A1:B2", 0, 0},
    {"Apples", 0, 0},
    {"A99999999999999999999", 0, 0},
    {"AAAAAAAAAAAAAAAAAAAAAAAA1", 0, 0},
    {"Ä1", 0, 0},
    {"单元格", 0, 0},
    {NULL, 0, 0},
};

static void test_addresses(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfCellAddress found = hf_cell_address_from_text(cases[i].text);
        g_test_message("%s", cases[i].text ? cases[i].text : "nothing");
        g_assert_cmpint(found.column, ==, cases[i].column);
        g_assert_cmpint(found.row, ==, cases[i].row);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cell-address/cases", test_addresses);
    return g_test_run();
}
