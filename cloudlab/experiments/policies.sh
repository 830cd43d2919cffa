# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Where objects are put and which lane an operation takes. Every node is both Memory and Compute Node, as the LOCAL
# policies need.
exefile=intset
experiment_args="--fabric verbs
    --first-mn-id 0 --last-mn-id 2 --first-cn-id 0 --last-cn-id 2
    --cn-threads 4 --qp-lanes 4 --seg-size 24 --num-ops 20000 --key-ub 1024 --seed 1"
sweep=(
    "alloc-pol RAND GLOBAL-RR GLOBAL-MOD LOCAL-RR LOCAL-MOD"
    "qp-sched-pol RAND RR MOD ONE_TO_ONE"
)
repetitions=5
plots=("alloc-pol throughput qp-sched-pol")
