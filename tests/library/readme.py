# readme -- README's programs and the commands that make them work.
import re

from checking import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language, word):
    """README's one block in this language that has the word."""
    [found] = [text for name, text in re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.M | re.S) if name == language and word in text]
    return found


TEN_LINES = block("python", "pendula.Sweep")
PLOT = TEN_LINES.splitlines()[-1]  # needs more than the lines before: xarray, and matplotlib
