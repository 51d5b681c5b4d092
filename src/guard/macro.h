/* Macros: several calls as one. Each step goes the whole way through the guard, by the same caller
 * and in the same run; what only a whole can have is here: all are weighed before the first is
 * done, the owner is asked once, and one hold of the desktop's turn covers them all. */
#pragma once

#include "guard/macro-steps.h"
#include "guard/passage.h"

typedef struct HfMacro {
    GPtrArray *steps;     /* of HfMacroStep */
    HfMacroStep *picture; /* the call that takes pictures around steps; NULL: none does */
    guint aimed;          /* the step whose target the owner was shown; past the last: none */
    gboolean agreed; /* the owner was asked, and what its steps type may go into password fields */
} HfMacro;

/* Reads the steps of a passage whose parameters were checked. */
gboolean hf_macro_read(HfPassage *passage, GError **error);
void hf_macro_free(HfMacro *macro);

/* A step's own call: its parameters with what the macro hands on (owned), and the request. */
json_t *hf_macro_dup_params(const HfPassage *passage, const HfMacroStep *step);
HfRequest hf_macro_request(const HfPassage *passage, const HfMacroStep *step, json_t *params);

/* Makes the macro's decision as strict as the strictest of its steps. */
void hf_macro_tighten(HfPassage *passage);
/* Within a macro: not stricter now than what the macro was weighed by, or refused. */
gboolean hf_macro_check_weighed(HfPassage *passage, GError **error);
/* Every step as the owner is asked about it: [{index, tool, title, risk, rules, decision,
 * decided_by, types}]; `types` is there when what it types may go into a password field. Owned. */
json_t *hf_macro_describe(const HfMacro *macro);
/* For the owner's eyes alone: adds to them what a shell would run. */
void hf_macro_show_lines(const HfMacro *macro, json_t *described);
/* What the first step that hits something would hit now, with a marked picture. Never NULL. */
HfResult *hf_macro_look(HfPassage *passage, const HfDeadline *deadline);
/* Writes down the answers that are asked for the first time only. */
gboolean hf_macro_remember(const HfPassage *passage, GError **error);

HfResult *hf_macro_run(HfPassage *passage, GError **error);
HfResult *hf_macro_preview(HfPassage *passage, GError **error);
/* Takes out of a recorded answer what steps that only look have seen: that is in memory alone. */
void hf_macro_forget_looks(json_t *recorded);
