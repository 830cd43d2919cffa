# SPDX-License-Identifier: Apache-2.0
"""Stands in for geni/rspec/pg.py (nbastin/genilib at 49aad5adba6113607bc1a919bb27df77df670b2c); the namespace is that of
geni/namespaces.py there (at f5b583038208206faf7c67c3618e71d24c65e74c)."""

import sys
import xml.etree.ElementTree as ET

REQUEST = "http://www.geni.net/resources/rspec/3"


def _element(parent, tag, **attributes):
    return ET.SubElement(parent, "{%s}%s" % (REQUEST, tag), attributes)


class Execute(object):
    """geni/rspec/pg.py, class Execute: __init__(self, shell, command)."""

    def __init__(self, shell, command):
        self.shell = shell
        self.command = command

    def _write(self, element):
        _element(element, "execute", shell=self.shell, command=self.command)


class IPv4Address(object):
    """geni/rspec/pg.py, class IPv4Address: __init__(self, address, netmask)."""

    def __init__(self, address, netmask):
        self.address = address
        self.netmask = netmask

    def _write(self, element):
        _element(element, "ip", address=self.address, netmask=self.netmask, type="ipv4")


class Interface(object):
    """geni/rspec/pg.py, class Interface: __init__(self, name, node, address = None)."""

    def __init__(self, name, node, address=None):
        self.client_id = name
        self.node = node
        self.addresses = [address] if address else []

    def addAddress(self, address):
        """geni/rspec/pg.py, Interface.addAddress: refuses what is no address."""
        assert isinstance(address, IPv4Address)
        self.addresses.append(address)

    def _write(self, element):
        interface = _element(element, "interface", client_id=self.client_id)
        for address in self.addresses:
            address._write(interface)


class RawPC(object):
    """geni/rspec/pg.py, class RawPC(Node): __init__(self, name, component_id = None); exclusive, of type "raw"."""
    __slots__ = ("client_id", "component_id", "hardware_type", "disk_image", "interfaces", "services")

    def __init__(self, name, component_id=None):
        self.client_id = name
        self.component_id = component_id
        self.hardware_type = None
        self.disk_image = None
        self.interfaces = []
        self.services = []

    def addInterface(self, name=None, address=None):
        """geni/rspec/pg.py, Node.addInterface: the interface is called NODE:NAME, and no two alike."""
        interface = Interface("%s:%s" % (self.client_id, name), self, address)
        assert interface.client_id not in [other.client_id for other in self.interfaces]
        self.interfaces.append(interface)
        return interface

    def addService(self, svc):
        """geni/rspec/pg.py, Node.addService."""
        self.services.append(svc)

    def _write(self, root):
        node = _element(root, "node", client_id=self.client_id, exclusive="true")
        sliver = _element(node, "sliver_type", name="raw")
        if self.disk_image:
            _element(sliver, "disk_image", name=self.disk_image)
        if self.hardware_type:
            _element(node, "hardware_type", name=self.hardware_type)
        for interface in self.interfaces:
            interface._write(node)
        if self.services:
            services = _element(node, "services")
            for service in self.services:
                service._write(services)


class LAN(object):
    """geni/rspec/pg.py, class LAN(Link): __init__(self, name = None); bandwidth in kbit/s, -1 if none is asked for."""
    __slots__ = ("client_id", "interfaces", "bandwidth")

    def __init__(self, name=None):
        self.client_id = name
        self.interfaces = []
        self.bandwidth = -1

    def addInterface(self, intf):
        """geni/rspec/pg.py, Link.addInterface."""
        self.interfaces.append(intf)

    def _write(self, root):
        link = _element(root, "link", client_id=self.client_id)
        for interface in self.interfaces:
            _element(link, "interface_ref", client_id=interface.client_id)
        _element(link, "link_type", name="lan")
        if self.bandwidth != -1:
            for interface in self.interfaces:
                _element(link, "property", source_id=interface.client_id, dest_id=self.client_id,
                         capacity=str(self.bandwidth))


class Request(object):
    """geni/rspec/pg.py, class Request; RawPC and LAN are its extensions: made and added in one call."""

    def __init__(self):
        self._resources = []

    def RawPC(self, *args, **kw):
        """geni/rspec/pg.py, Request.EXTENSIONS and Request._wrapext."""
        return self._add(RawPC(*args, **kw))

    def LAN(self, *args, **kw):
        """geni/rspec/pg.py, Request.EXTENSIONS and Request._wrapext."""
        return self._add(LAN(*args, **kw))

    def _add(self, resource):
        self._resources.append(resource)
        return resource

    def writeXML(self, path):
        """geni/rspec/pg.py, Request.writeXML: to standard output if path is None."""
        assert path is None
        ET.register_namespace("", REQUEST)
        root = ET.Element("{%s}rspec" % REQUEST, {"type": "request"})
        for resource in self._resources:
            resource._write(root)
        sys.stdout.write(ET.tostring(root, encoding="unicode") + "\n")
