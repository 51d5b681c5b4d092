/* SPDX-License-Identifier: Apache-2.0 */
/* The settings manager of a virtual desktop: tells GTK and Chromium the scale. */
#pragma once

/* The process: owns the settings while the display lives. Writes a line to descriptor 3 when they
 * are in place. */
int hf_xsettings_main(double scale);
