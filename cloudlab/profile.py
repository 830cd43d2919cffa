# SPDX-License-Identifier: Apache-2.0
"""Machines with RDMA cards on one experiment LAN, for experiments with Remus for Java.

Every machine gets Java, the RDMA libraries and tools, and a limit on locked memory that is high enough. How to install
and run Remus on them is in the project's cloudlab/README.md.

Instructions:
Wait until the startup services have finished, copy the machines' names into a cluster file in the order of node0,
node1, ..., and run cloudlab/cl with it.
"""

import difflib

import geni.portal as portal
import geni.rspec.pg as pg

# Types of machines with cards for RDMA, one on a line: name | site | domain of the names for ssh | card | Gbit/s of the
# experiment port | RDMA device | interface, on kernels that add it without np0 or np1. A ? marks what no source
# confirms. README.md gives the sources. cloudlab/cl reads these lines too.
NODE_TYPES = """
c6220      | Apt       | apt.emulab.net      | ConnectX-3      | 40  | mlx4_0 ?      | ?
c6525-100g | Utah      | utah.cloudlab.us    | ConnectX-5 Ex   | 100 | mlx5_2        | ens1f0
c6525-25g  | Utah      | utah.cloudlab.us    | ConnectX-5      | 25  | mlx5_2        | enp65s0f0
d6515      | Utah      | utah.cloudlab.us    | ConnectX-5 Ex   | 100 | mlx5_0        | enp65s0f0
d7525      | Wisconsin | wisc.cloudlab.us    | ConnectX-6      | 200 | ?             | enp65s0f0 ?
m510       | Utah      | utah.cloudlab.us    | ConnectX-3 Pro  | 10  | mlx4_0 port 2 | eno1d1
r320       | Apt       | apt.emulab.net      | ConnectX-3      | 40  | mlx4_0        | ?
r650       | Clemson   | clemson.cloudlab.us | ConnectX-6      | 100 | mlx5_2        | ens2f0
r6525      | Clemson   | clemson.cloudlab.us | ConnectX-6      | 100 | mlx5_2        | ens3f0
r7525      | Clemson   | clemson.cloudlab.us | BlueField-2     | 100 | mlx5_2        | ens5f0
xl170      | Utah      | utah.cloudlab.us    | ConnectX-4 Lx   | 25  | mlx5_3        | ens1f1
"""
TYPES = {}
for line in NODE_TYPES.strip().split("\n"):
    name, site, _, card, speed, _, _ = [field.strip() for field in line.split("|")]
    TYPES[name] = (int(speed), "%s (%s: %s, %s Gbit/s)" % (name, site, card, speed))

# The same as in the script "setup", which also runs later by "cl install-deps". A new machine often updates itself at the
# same time; apt-get waits for that where it installs, but not where it reads the lists of packages.
PACKAGES = "openjdk-17-jre-headless rdma-core ibverbs-providers ibverbs-utils perftest iproute2"
LIMITS = "'* soft memlock unlimited\\n* hard memlock unlimited\\n'"
SETUP = (
    "sudo sh -c \"for pause in 5 15 30 60 120; do apt-get -q update && break; sleep \\$pause; done"
    "; DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends " +
    PACKAGES +
    " && printf " + LIMITS + " > /etc/security/limits.d/90-remus.conf\""
)

pc = portal.Context()

pc.defineParameter(
    "memory_nodes", "Machines for Memory Nodes", portal.ParameterType.INTEGER, 1,
    longDescription="They come first: node0, node1, ...")
pc.defineParameter(
    "compute_nodes", "Machines for Compute Nodes", portal.ParameterType.INTEGER, 2,
    longDescription="They follow those of the Memory Nodes. 0 if every machine is to be both.")
pc.defineParameter(
    "node_type", "Type of the machines", portal.ParameterType.NODETYPE, "r320",
    [(name, text) for name, (_, text) in sorted(TYPES.items())],
    longDescription="Whether enough of them are free is on the page of resource availability.")
pc.defineParameter(
    "other_type", "Another type of machine instead", portal.ParameterType.STRING, "", advanced=True,
    longDescription="Any type of CloudLab with an RDMA card that is not in the list above. Also set its link speed.")
pc.defineParameter(
    "link_speed", "Link speed in Gbit/s", portal.ParameterType.INTEGER, 0, advanced=True,
    longDescription="The speed of the RDMA ports, by which CloudLab chooses them. 0 for that of the type in the list.")
pc.defineParameter(
    "disk_image", "Disk image", portal.ParameterType.IMAGE,
    "urn:publicid:IDN+emulab.net+image+emulab-ops//UBUNTU22-64-STD",
    longDescription="A Debian or Ubuntu that has the package openjdk-17-jre-headless.")
pc.defineParameter(
    "lan", "Name of the experiment LAN", portal.ParameterType.STRING, "rdma", advanced=True)

params = pc.bindParameters()

if params.memory_nodes < 1:
    pc.reportError(portal.ParameterError("There must be at least one Memory Node.", ["memory_nodes"]))
if params.compute_nodes < 0:
    pc.reportError(portal.ParameterError("The number of Compute Nodes cannot be negative.", ["compute_nodes"]))
count = params.memory_nodes + params.compute_nodes
node_type = params.other_type.strip() or params.node_type
if params.link_speed < 0:
    pc.reportError(portal.ParameterError("The link speed cannot be negative.", ["link_speed"]))
if node_type not in TYPES and params.link_speed == 0:
    near = difflib.get_close_matches(node_type.lower(), sorted(TYPES), 3, 0.6)
    pc.reportError(portal.ParameterError(
        "%s is not in the list%s. A type outside the list needs its link_speed too." %
        (node_type, "; near types: " + ", ".join(near) if near else ""), ["other_type", "link_speed"]))
if count > 254:
    pc.reportError(portal.ParameterError(
        "One LAN has addresses for 254 machines.", ["memory_nodes", "compute_nodes"]))
if params.lan.startswith("node"):
    pc.reportError(portal.ParameterError("Names that begin with node are those of the machines.", ["lan"]))
pc.verifyParameters()

request = pc.makeRequestRSpec()
lan = request.LAN(params.lan)
# The machines have slower ports too; those of this speed are the ports of the RDMA cards. In kbit/s.
lan.bandwidth = 1000000 * (params.link_speed or TYPES[node_type][0])

for i in range(count):
    node = request.RawPC("node%d" % i)
    node.hardware_type = node_type
    node.disk_image = params.disk_image
    node.addService(pg.Execute(shell="sh", command=SETUP))
    interface = node.addInterface("rdma")
    interface.addAddress(pg.IPv4Address("10.10.1.%d" % (i + 1), "255.255.255.0"))
    lan.addInterface(interface)

pc.printRequestRSpec(request)
