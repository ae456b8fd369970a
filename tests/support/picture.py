# picture -- what a picture of gnuplot's shows: the data of its script, the texts of its SVG and the boxes that they take.
#
# Letters are taken to be 6.6 pixels wide and 13 high at size 11, a little less than in the PNG of the same layout.
import html
import re


def data_blocks(script):
    """The blocks of data in a script, by name: rows of words."""
    return {name: [line.split() for line in text.splitlines() if line]
            for name, text in re.findall(r"^\$(\w+) << END\n(.*?)^END$", script, re.M | re.S)}


class Text:
    """A text of the picture: the box that it takes, in pixels."""

    def __init__(self, x, y, turned, size, anchor, words):
        self.words = words
        long, high = 0.6 * size * len(words), 1.18 * size
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * long
        if turned:
            self.box = (x - 0.8 * high, y - long + before, x + 0.2 * high, y + before)
        else:
            self.box = (x - before, y - 0.8 * high, x - before + long, y + 0.2 * high)

    def meets(self, other):
        a, b = self.box, other.box
        return min(a[2], b[2]) - max(a[0], b[0]) > 1.0 and min(a[3], b[3]) - max(a[1], b[1]) > 1.0


def texts_of(svg):
    pattern = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)(?: rotate\((\d+)\))?"[^>]*font-size="([\d.]+)"\s+'
                         r'text-anchor="(\w+)">\s*<text>(.*?)</text>', re.S)
    found = []
    for x, y, turned, size, anchor, inner in pattern.findall(svg):
        words = html.unescape(re.sub(r"<[^>]*>", "", inner)).strip()
        if words:
            found.append(Text(float(x), float(y), turned is not None and turned != "", float(size), anchor, words))
    return found


def faults_of(svg, said):
    """What is wrong with a picture: texts over each other or cut off by the border, groups of stdout that are not drawn."""
    width, height = map(float, re.search(r'width="(\d+)" height="(\d+)"', svg).groups())
    texts = texts_of(svg)
    faults = [] if len(texts) > 4 else [f"{len(texts)} texts were found"]
    for i, text in enumerate(texts):
        if not (text.box[0] >= 0 and text.box[1] >= 0 and text.box[2] <= width and text.box[3] <= height):
            faults.append(f"'{text.words}' leaves the picture")
        faults += [f"'{text.words}' lies over '{other.words}'" for other in texts[:i] if text.meets(other)]
    for group in re.findall(r"^  (\w+): \d+ of \d+ points ok", said, re.M):
        drawn = any(text.words == group or text.words.startswith((group + ",", group + " is not drawn")) for text in texts)
        if not drawn:
            faults.append(f"group {group} is named on stdout and not drawn")
    return faults
