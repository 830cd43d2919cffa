"""Stands in for geni/portal.py (kaimast/geni-lib3 at 01df5d64929b0fdd6e5bcf0971a66a509f019ba7)."""

import argparse
import sys

from geni.rspec import pg


class ParameterType(object):
    """geni/portal.py, class ParameterType: constants that are words."""
    INTEGER = "integer"
    STRING = "string"
    IMAGE = "image"
    NODETYPE = "nodetype"


class ParameterError(Exception):
    """geni/portal.py, class ParameterError: __init__(self, message, paramList, fixedValues={})."""

    def __init__(self, message, paramList, fixedValues={}):
        super(ParameterError, self).__init__(message)
        self.params = paramList


class Context(object):
    """geni/portal.py, class Context."""

    def __init__(self):
        self._parser = argparse.ArgumentParser()
        self._errors = []
        self._request = None

    def defineParameter(self, name, description, typ, defaultValue, legalValues=None, longDescription=None,
                        inputFieldHint=None, inputConstraints=None, advanced=False, groupId=None, hide=False,
                        multiValue=False, min=None, max=None, itemDefaultValue=None, multiValueTitle=None,
                        prefix="emulab.net.parameter."):
        """geni/portal.py, Context.defineParameter; legal values are values or pairs of value and text, and the default
        is one of them (class Parameter)."""
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
        """geni/portal.py, Context.verifyParameters: ends the script when there were errors."""
        if self._errors:
            sys.exit("\n".join("%s %s" % (error, error.params) for error in self._errors))

    def makeRequestRSpec(self):
        """geni/portal.py, Context.makeRequestRSpec: once."""
        assert self._request is None
        self._request = pg.Request()
        return self._request

    def printRequestRSpec(self, rspec=None):
        """geni/portal.py, Context.printRequestRSpec: to standard output, outside the portal."""
        (rspec or self._request).writeXML(None)
