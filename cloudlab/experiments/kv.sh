# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# The hash map: the workloads of YCSB over threads.
exefile=kv
experiment_args="--fabric verbs
    --first-mn-id 0 --last-mn-id 0 --first-cn-id 1 --last-cn-id 2
    --seg-size 26 --records 100000 --num-ops 50000 --seed 1"
sweep=(
    "workload a b c d f"
    "cn-threads 1 2 4 8"
)
repetitions=5
plots=(
    "threads throughput workload"
    "threads read_p99_ns workload"
)
