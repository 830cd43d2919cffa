# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# The set of integers: throughput over threads, for small and large ranges of keys.
exefile=intset
experiment_args="--fabric verbs
    --first-mn-id 0 --last-mn-id 0 --first-cn-id 1 --last-cn-id 2
    --seg-size 24 --num-ops 20000 --seed 1"
sweep=(
    "cn-threads 1 2 4 8"
    "key-ub 256 1024 4096"
)
repetitions=5
plots=(
    "threads throughput key-ub"
    "key-ub throughput threads"
    "threads insert_p99_ns key-ub"
)
