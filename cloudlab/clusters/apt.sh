# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2207
# Machines on Apt, in the order of the node ids: node 0 is apt030. Copy this file and write down those that the
# experiment's page on CloudLab shows.
domain=apt.emulab.net
machines=(apt030 apt132 apt028)
user=me

# The addresses that profile.py gives to the RDMA ports, in the same order. Without this line they are looked up.
hosts=(10.10.1.1 10.10.1.2 10.10.1.3)
