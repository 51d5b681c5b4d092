/* SPDX-License-Identifier: Apache-2.0 */
/* The hand: eyes and hands on one desktop. It does what the desk tells it and decides nothing. */
#pragma once

/* `handfast hand --fd N --state-dir DIR [--scale S]`, started by the stage of a desktop. */
int hf_hand_main(int argc, char **argv);
