/* SPDX-License-Identifier: Apache-2.0 */
/* The hand: the process that sees and acts on one desktop. It carries out the desk's orders and
 * decides nothing. */
#pragma once

/* `handfast hand --fd N --state-dir DIR [--scale S]`. The stage of a desktop starts it. */
int hf_hand_main(int argc, char **argv);
