# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# The queues, as in figures 4 and 5 of the paper, but on all six nodes at once: each has 1 to 12 threads with 10,000
# operations each, insert or remove with equal probability. Figure 4 is throughput over threads.
# Figure 5 has five series: the mean time of an operation, of finding tail or head, and of announcing them.
exefile=queue
experiment_args="--fabric verbs
    --first-mn-id 0 --last-mn-id 5 --first-cn-id 0 --last-cn-id 5
    --workload random --num-ops 10000 --warm-up 1 --capacity 10001 --seg-size 27 --seed 1"
sweep=(
    "queue nd-published bd bc nd"
    "cn-threads 1 2 4 8 12"
)
repetitions=5
plots=(
    "threads throughput queue"
    "threads enq_all_mean_ns queue"
    "threads enq_hop_mean_ns queue"
    "threads deq_all_mean_ns queue"
    "threads deq_hop_mean_ns queue"
    "threads bcast_all_mean_ns queue"
)
