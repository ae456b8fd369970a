# symbols -- the functions that the library exports, as its Debian package lists them.
import re

from checking import ROOT

LISTED = re.findall(r"^ (\S+)@Base [0-9.]+$", (ROOT / "packaging/debian/libpendula0.symbols").read_text(encoding="utf-8"), re.M)
