"""A stand-in for geni-lib, as far as profile.py uses it.

Names, parameters, defaults and what is written are those of geni-lib itself, read in the files that each docstring names:
geni-lib as stored in kaimast/geni-lib3, geni/portal.py at 01df5d64 and geni/rspec/pg.py at 1464ee3f. Nothing is copied;
what profile.py does not need is left out, so that a call of it fails here.
"""
