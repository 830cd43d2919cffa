# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# The set of integers: throughput over Compute Nodes. Needs eight machines.
exefile=intset
experiment_args="--fabric verbs
    --first-mn-id 0 --last-mn-id 0 --first-cn-id 1
    --cn-threads 4 --seg-size 24 --num-ops 20000 --key-ub 1024 --seed 1"
sweep=("last-cn-id 1 2 3 4 5 6 7")
repetitions=5
plots=("compute_nodes throughput")
