# shellcheck shell=bash disable=SC2034
# The queues, as in figures 4 and 5 of the paper: 10,000 operations a thread, insert or remove with equal probability.
# Figure 4 is throughput over threads, figure 5 the time for all of an operation and for finding head or tail.
exefile=queue
experiment_args="--fabric verbs
    --first-mn-id 0 --last-mn-id 5 --first-cn-id 0 --last-cn-id 5
    --workload random --num-ops 10000 --seg-size 24 --seed 1"
sweep=(
    "queue nd bd bc"
    "cn-threads 1 2 4 8 12"
)
repetitions=5
plots=(
    "threads throughput queue"
    "threads enq_all_ns queue"
    "threads enq_hop_ns queue"
    "threads deq_all_ns queue"
    "threads deq_hop_ns queue"
)
