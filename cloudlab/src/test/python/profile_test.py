# SPDX-License-Identifier: Apache-2.0
"""What profile.py asks CloudLab for, held against the structure of GENI's requests, version 3.

Its schema is published at http://www.geni.net/resources/rspec/3/request.xsd. The table below was made from

- protogeni/rspec/2/request-common.xsd (at 1d9fff4374392ab7004c9146ca1284ffaf9f2140) and request.xsd (at
  04627336c367a8dbff391b45e37d35852cbbc659) of senseisimple/emulab-stable: version 2, which version 3 is based on, as
  https://groups.geni.net/geni/wiki/GENIExperimenter/RSpecs says;
- rspec.adoc of open-multinet/federation-am-api (at 08cadd6b9fa0fdc17a429bfa72e8a3fad94240bc), which describes version 3: the
  element ip is new there, and all names that a request gives (client_id) differ.
"""

import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILE = os.path.join(HERE, "..", "..", "..", "profile.py")
SETUP = os.path.join(HERE, "..", "..", "..", "remote", "setup")
NAMESPACE = "{http://www.geni.net/resources/rspec/3}"

# Of each element that a request may have here: the attributes that it must have, those that it may have, and its children.
STRUCTURE = {
    "rspec": ({"type"}, {"generated", "generated_by"}, {"node", "link"}),
    "node": ({"client_id"}, {"component_id", "component_manager_id", "component_name", "exclusive"},
             {"sliver_type", "hardware_type", "interface", "services", "location", "relation"}),
    "sliver_type": ({"name"}, set(), {"disk_image"}),
    "disk_image": ({"name"}, {"os", "version", "description"}, set()),
    "hardware_type": ({"name"}, set(), set()),
    "interface": ({"client_id"}, {"component_id"}, {"ip"}),
    "ip": ({"address"}, {"netmask", "type"}, set()),
    "services": (set(), set(), {"execute", "install", "login"}),
    "execute": ({"shell", "command"}, set(), set()),
    "link": ({"client_id"}, set(), {"interface_ref", "link_type", "property", "component_manager"}),
    "interface_ref": ({"client_id"}, set(), set()),
    "link_type": ({"name"}, {"class"}, set()),
    "property": ({"source_id", "dest_id"}, {"capacity", "latency", "packet_loss"}, set()),
}

# What values of some attributes look like; a capacity is in kbit/s.
VALUES = {
    ("rspec", "type"): "request",
    ("node", "exclusive"): "true|false|1|0",
    ("ip", "address"): r"(\d{1,3}\.){3}\d{1,3}",
    ("ip", "netmask"): r"(\d{1,3}\.){3}\d{1,3}",
    ("ip", "type"): "ipv4",
    ("property", "capacity"): r"\d+",
}


def profile(*arguments):
    environment = dict(os.environ, PYTHONPATH=HERE, PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run([sys.executable, PROFILE] + list(arguments), env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=60)


def node_types():
    with open(PROFILE) as script:
        table = script.read().split('NODE_TYPES = """\n')[1].split('"""')[0]
    return [line.split("|")[0].strip() for line in table.strip().split("\n")]


def capacities(rspec):
    return {each.get("capacity") for each in rspec.iter(NAMESPACE + "property")}


def request(*arguments):
    return ET.fromstring(profile(*arguments).stdout)


class ProfileTest(unittest.TestCase):
    def check(self, element):
        name = element.tag[len(NAMESPACE):]
        must, may, children = STRUCTURE[name]
        self.assertTrue(element.tag.startswith(NAMESPACE), element.tag)
        self.assertLessEqual(must, set(element.attrib), name)
        self.assertLessEqual(set(element.attrib), must | may, name)
        for attribute, value in element.attrib.items():
            self.assertRegex(value, "^(%s)$" % VALUES.get((name, attribute), ".+"), name + " " + attribute)
        for child in element:
            self.assertIn(child.tag[len(NAMESPACE):], children, name)
            self.check(child)

    def test_every_request_has_the_structure_of_the_schema(self):
        for node_type in node_types():
            self.check(request("--node_type", node_type))

    def test_a_node_has_one_type_of_sliver_and_one_of_hardware(self):
        for node in request().iter(NAMESPACE + "node"):
            self.assertEqual(1, len(node.findall(NAMESPACE + "sliver_type")))
            self.assertEqual(1, len(node.findall(NAMESPACE + "hardware_type")))

    def test_whatever_has_a_name_has_one_of_its_own_and_what_refers_to_a_name_finds_it(self):
        rspec = request("--memory_nodes", "2", "--compute_nodes", "3")
        names = [each.get("client_id") for tag in ("node", "interface", "link") for each in rspec.iter(NAMESPACE + tag)]
        self.assertEqual(len(names), len(set(names)))
        references = [each.get("client_id") for each in rspec.iter(NAMESPACE + "interface_ref")]
        for each in rspec.iter(NAMESPACE + "property"):
            references += [each.get("source_id"), each.get("dest_id")]
        self.assertLessEqual(set(references), set(names))

    def test_the_nodes_are_numbered_and_the_lan_joins_all_of_them(self):
        rspec = request("--memory_nodes", "2", "--compute_nodes", "3")
        nodes = [node.get("client_id") for node in rspec.iter(NAMESPACE + "node")]
        self.assertEqual(["node0", "node1", "node2", "node3", "node4"], nodes)
        interfaces = [each.get("client_id") for each in rspec.iter(NAMESPACE + "interface")]
        self.assertEqual(5, len(set(interfaces)))
        self.assertEqual(interfaces, [each.get("client_id") for each in rspec.iter(NAMESPACE + "interface_ref")])
        addresses = [each.get("address") for each in rspec.iter(NAMESPACE + "ip")]
        self.assertEqual(["10.10.1.%d" % i for i in range(1, 6)], addresses)

    def test_the_ports_of_the_rdma_cards_are_asked_for_by_their_speed(self):
        for node_type, kilobits in (("c6220", "40000000"), ("d6515", "100000000"), ("m510", "10000000")):
            self.assertEqual({kilobits}, capacities(request("--node_type", node_type)))
        self.assertEqual({"100000000"}, capacities(request("--node_type", "d7525", "--link_speed", "100")))

    def test_a_type_outside_the_list_is_taken_with_its_speed(self):
        rspec = request("--other_type", "c6620", "--link_speed", "100")
        self.check(rspec)
        self.assertEqual({"c6620"}, {each.get("name") for each in rspec.iter(NAMESPACE + "hardware_type")})
        self.assertEqual({"100000000"}, capacities(rspec))

    def test_a_mistyped_type_is_refused_with_those_near_to_it(self):
        for mistyped, near in (("c6525-2", "c6525-25g"), ("XL17", "xl170"), ("r6550", "r650")):
            answer = profile("--other_type", mistyped)
            self.assertEqual(101, answer.returncode, answer.stderr)
            self.assertIn(mistyped + " is not in the list; near types: " + near, answer.stderr)
        self.assertIn("zzz is not in the list. A type", profile("--other_type", "zzz").stderr)

    def test_a_machine_installs_at_boot_what_the_script_installs(self):
        command = next(request().iter(NAMESPACE + "execute")).get("command")
        with open(SETUP) as script:
            text = script.read()
        packages = text.split("--no-install-recommends \\\n")[1].split("\n")[0].strip()
        self.assertIn(packages, command)
        self.assertIn("memlock unlimited", command)
        subprocess.run(["sh", "-n", "-c", command], check=True)

    def test_parameters_that_make_no_cluster_are_refused_by_name(self):
        for name, value in (("memory_nodes", "0"), ("compute_nodes", "-1"), ("compute_nodes", "254"), ("lan", "node1"),
                            ("link_speed", "-1")):
            answer = profile("--%s=%s" % (name, value))
            self.assertEqual(101, answer.returncode, answer.stderr)
            self.assertIn(name, answer.stderr)
            self.assertEqual("", answer.stdout)


if __name__ == "__main__":
    unittest.main()
