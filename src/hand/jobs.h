/* The calls that a hand has in hand: started on the pool, cancelled by the desk. */
#pragma once

#include "base/types.h"
#include "wire/frame.h"

typedef struct HfJobs HfJobs;

HfJobs *hf_jobs_new(HfDesktop *desktop, int fd);
/* Cancels all, waits for them to end, frees. */
void hf_jobs_free(HfJobs *jobs);
/* A message from the desk: a call, whose parameters are taken out of it, or a cancellation. */
void hf_jobs_receive(HfJobs *jobs, HfFrame *frame);
