# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2207
# Two virtual machines with Soft-RoCE; see cloudlab/soft-roce.md.
machines=(203.0.113.10 203.0.113.11)
user=ubuntu

# Their private addresses, to which the Soft-RoCE device belongs. The look-up would leave them out, since that
# network is also the one that leads to the rest of the world.
hosts=(10.0.0.10 10.0.0.11)
