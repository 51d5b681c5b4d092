/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a call is looked at, by the owner's policy and what its tool declares. */
#include "desk/records/evidence/evidence.h"

#define NONE   ((HfWitness)0)
#define FAILED HF_WITNESS_FAILURE
#define AFTER  HF_WITNESS_AFTER
#define BOTH   (HF_WITNESS_BEFORE | HF_WITNESS_AFTER)

static const HfTool acts = {.name = "acts", .needs = HF_NEEDS_INPUT};
static const HfTool looks = {.name = "looks", .needs = HF_NEEDS_SCREEN, .flags = HF_TOOL_READ_ONLY};
static const HfTool unseen = {.name = "unseen", .needs = HF_NEEDS_NEITHER};

static const struct {
    const char *policy;
    HfWitness acts, looks, unseen;
} cases[] = {
    {"none", NONE, NONE, NONE},
    {"failures", FAILED, FAILED, FAILED},
    {"actions", BOTH, FAILED, FAILED},
    {"all", BOTH, AFTER, AFTER},
};

static void test_wanted(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].policy);
        g_assert_cmpint(hf_evidence_witness(cases[i].policy, &acts), ==, cases[i].acts);
        g_assert_cmpint(hf_evidence_witness(cases[i].policy, &looks), ==, cases[i].looks);
        g_assert_cmpint(hf_evidence_witness(cases[i].policy, &unseen), ==, cases[i].unseen);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/evidence/wanted", test_wanted);
    return g_test_run();
}
