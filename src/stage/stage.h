/* SPDX-License-Identifier: Apache-2.0 */
/* The parent process of everything that runs on one desktop. */
#pragma once

/* `handfast stage NAME`, started by the desk with its channel as descriptor 3. */
int hf_stage_main(int argc, char **argv);
