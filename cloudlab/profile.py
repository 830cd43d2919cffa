"""Machines with RDMA cards on one experiment LAN, for experiments with Remus for Java.

Every machine gets Java, the RDMA libraries and tools, and a limit on locked memory that is high enough. How to install
and run Remus on them is in the project's cloudlab/README.md.

Instructions:
Wait until the startup services have finished, copy the machines' names into a cluster file in the order of node0,
node1, ..., and run cloudlab/cl with it.
"""

import geni.portal as portal
import geni.rspec.pg as pg

# Types of machines with Mellanox cards, where they are, and how fast their experiment links are in kbit/s. From the
# hardware page of the CloudLab manual, https://docs.cloudlab.us/hardware.html
NODE_TYPES = {
    "r320": ("Apt: 8 cores, ConnectX-3, 40 Gbit/s Ethernet", 40000000),
    "c6220": ("Apt: 16 cores, ConnectX-3, 40 Gbit/s Ethernet", 40000000),
    "r6525": ("Clemson: 64 cores, ConnectX, 100 Gbit/s Ethernet", 100000000),
    "d6515": ("Utah: 32 cores, ConnectX-5, 100 Gbit/s Ethernet", 100000000),
}

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
    [(name, text) for name, (text, _) in sorted(NODE_TYPES.items())],
    longDescription="Whether enough of them are free is on the page of resource availability.")
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
if count > 254:
    pc.reportError(portal.ParameterError(
        "One LAN has addresses for 254 machines.", ["memory_nodes", "compute_nodes"]))
if params.lan.startswith("node"):
    pc.reportError(portal.ParameterError("Names that begin with node are those of the machines.", ["lan"]))
pc.verifyParameters()

request = pc.makeRequestRSpec()
lan = request.LAN(params.lan)
# The machines have slower ports too; those of this speed are the ports of the RDMA cards.
lan.bandwidth = NODE_TYPES[params.node_type][1]

for i in range(count):
    node = request.RawPC("node%d" % i)
    node.hardware_type = params.node_type
    node.disk_image = params.disk_image
    node.addService(pg.Execute(shell="sh", command=SETUP))
    interface = node.addInterface("rdma")
    interface.addAddress(pg.IPv4Address("10.10.1.%d" % (i + 1), "255.255.255.0"))
    lan.addInterface(interface)

pc.printRequestRSpec(request)
