# SPDX-License-Identifier: Apache-2.0
"""A stand-in for geni-lib, as far as profile.py uses it.

Names, parameters, defaults and what is written are those of geni-lib itself, read in its author's repository, nbastin/genilib:
geni/portal.py and geni/rspec/pg.py at 49aad5adba6113607bc1a919bb27df77df670b2c, geni/namespaces.py at
f5b583038208206faf7c67c3618e71d24c65e74c. Each docstring names the class or method. CloudLab runs a version that the University of
Utah has taken further. Nothing is copied; what profile.py does not need is left out, so that a call of it fails here.
"""
