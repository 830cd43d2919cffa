# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2207
# Any machines that can be reached by ssh with a key and have RDMA ports: names that are whole need no domain.
machines=(rack1-a.example.org rack1-b.example.org rack1-c.example.org)
user=me
hosts=(192.168.10.1 192.168.10.2 192.168.10.3)

# Where the home folder is one and the same on all machines, each node needs a folder of its own.
directory='remus-{id}'
