# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# One run of the set of integers: one Memory Node, two Compute Nodes.
exefile=intset
experiment_args="--fabric verbs
    --first-mn-id 0 --last-mn-id 0 --first-cn-id 1 --last-cn-id 2 --cn-threads 2"
