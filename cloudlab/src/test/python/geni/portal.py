# SPDX-License-Identifier: Apache-2.0
"""Stands in for geni/portal.py (nbastin/genilib at 49aad5adba6113607bc1a919bb27df77df670b2c)."""

import argparse
import json
import sys

from geni.rspec import pg


class ParameterType(object):
    """geni/portal.py, class ParameterType: constants that are words."""
    INTEGER = "integer"
    STRING = "string"
    IMAGE = "image"
    NODETYPE = "nodetype"


class ParameterError(Exception):
    """geni/portal.py, class ParameterError: __init__(self, message, paramList)."""

    def __init__(self, message, paramList):
        super(ParameterError, self).__init__()
        self.message = message
        self.params = paramList


class Context(object):
    """geni/portal.py, class Context."""

    def __init__(self):
        self._parser = argparse.ArgumentParser()
        self._errors = []
        self._request = None

    def defineParameter(self, name, description, typ, defaultValue, legalValues=None, longDescription=None,
                        advanced=False, groupId=None, hide=False, prefix="emulab.net.parameter."):
        """geni/portal.py, Context.defineParameter; legal values are values or pairs of value and text, and the default
        is one of them."""
        legal = None
        if legalValues:
            legal = [value[0] if isinstance(value, tuple) else value for value in legalValues]
            assert defaultValue in legal, name
        self._parser.add_argument("--" + name, default=defaultValue, choices=legal, help=description,
                                  type=int if typ == ParameterType.INTEGER else str)

    def bindParameters(self, altParamSrc=None):
        """geni/portal.py, Context.bindParameters: outside the portal, parameters come from the command line."""
        return self._parser.parse_args()

    def reportError(self, parameterError, immediate=False):
        """geni/portal.py, Context.reportError: collects errors for verifyParameters."""
        self._errors.append(parameterError)

    def verifyParameters(self):
        """geni/portal.py, Context.verifyParameters: when there were errors, prints them as a list in JSON on standard
        error, and ends the script with status 100 and as many more."""
        if self._errors:
            json.dump([{"errorType": "ParameterError", "message": error.message, "params": error.params}
                       for error in self._errors], sys.stderr)
            sys.exit(100 + len(self._errors))

    def makeRequestRSpec(self):
        """geni/portal.py, Context.makeRequestRSpec: once."""
        assert self._request is None
        self._request = pg.Request()
        return self._request

    def printRequestRSpec(self, rspec=None):
        """geni/portal.py, Context.printRequestRSpec: to standard output, outside the portal. What it adds there, the
        docstring of the profile and its parameters, is in namespaces of their own and left out here."""
        (rspec or self._request).writeXML(None)
