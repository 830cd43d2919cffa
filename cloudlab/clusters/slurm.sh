# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2207
# The machines of a Slurm allocation. To be used inside of it: salloc --nodes 3 --exclusive, then cloudlab/cl.
[[ -n ${SLURM_JOB_NODELIST:-} ]] || { echo "slurm.sh: this is no Slurm allocation; see cloudlab/slurm.md" >&2; exit 2; }
machines=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))

# Home folders are shared on most such clusters, so that each node needs a folder of its own.
directory='remus-{id}'
