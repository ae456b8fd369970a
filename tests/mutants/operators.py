#!/usr/bin/env python3
# operators -- edits that are made by rule: each operator changes one part of a line of C in its own way.
"""Prints what the operators make of a line, or of a part of it, as the lists name it.

    operators.py LINE [OPERATOR]
"""
# A line is read as expressions, by brackets and precedence, without types. An operator makes its edits in the order of their places, so
# that its name and a number say which edit is meant. What it makes need not compile and may be equivalent: the lists choose.
import decimal
import re
import sys

TOKEN = re.compile(r"""
    (?P<blank>\s+|\\$|//.*|/\*.*?\*/|^\s*\#\s*define\s+\w+(?:\([^)]*\))?|^\s*\#\s*\w+(?:\s+["<].*)?)
  | (?P<number>\.?\d(?:(?:(?<=[eEpP])[-+])|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|.)
""", re.X | re.S)
LEVELS = ["||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"]
LEVEL = {sign: level for level, signs in enumerate(LEVELS, 2) for sign in signs.split()}
ASSIGN, CHOICE, UNARY, POSTFIX = 0, 1, len(LEVELS) + 2, len(LEVELS) + 3
ASSIGNMENTS = "= += -= *= /= %= &= |= ^= <<= >>=".split()
PREFIXES = "- + ! ~ * & ++ --".split()
CLOSING = {"(": ")", "[": "]", "{": "}"}
TYPE = re.compile(r"const|unsigned|struct|static|void|bool|char|int|long|float|double|real|whole|mask|\w+_t|[A-Z]\w*[a-z]\w*")
STATEMENTS = "return case else do goto break continue default".split()
BRACKETED = "if while for switch sizeof EACH_DOF".split()  # the brackets behind these hold no operand


class Node:
    """A part of an expression. A second operand that stands on the next line is None."""

    def __init__(self, kind, begin, end, level=POSTFIX, sign="", at=0, parts=()):
        self.kind, self.begin, self.end, self.level, self.sign, self.at, self.parts = kind, begin, end, level, sign, at, list(parts)
        self.parent = None
        for part in self.parts:
            if part:
                part.parent = self


class Line:
    """A line, and the expressions in it."""

    def __init__(self, text):
        self.text = text
        self.tokens = [(m.lastgroup, m[0], m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup != "blank"]
        self.tokens.append(("end", "", len(text), len(text)))
        self.at = 0
        self.nodes = []
        while not self.ends():
            self.read_list("")
        self.nodes.sort(key=lambda node: (node.begin, node.end))

    def of(self, node):
        return self.text[node.begin:node.end]

    def ends(self):
        return self.at == len(self.tokens) - 1

    def word(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def begin(self):
        return self.tokens[self.at][2]

    def end(self):
        """Where what is read ends."""
        return self.tokens[self.at - 1][3]

    def skip(self):
        self.at += not self.ends()

    def make(self, kind, begin, *more):
        self.nodes.append(Node(kind, begin, self.end(), *more))
        return self.nodes[-1]

    def read_list(self, closing):
        """The expressions before a closing bracket, which is read too."""
        found = []
        while not self.ends() and self.word() != closing:
            first = self.at
            expression = None if self.declares() else self.read_expression()
            if expression:
                found.append(expression)
                if closing != ")" and self.is_statement(expression, first):
                    self.make("statement", expression.begin)
            elif self.at == first and self.word() in CLOSING:
                opening = self.word()
                self.skip()
                self.read_list(CLOSING[opening])
            elif self.at == first:
                self.skip()
        self.skip()
        return found

    def is_statement(self, expression, first):
        before = self.tokens[first - 1][1] if first else ";"
        return self.word() == ";" and before in (";", "{", "}", ":", ")", "else") and (
            expression.kind in ("assignment", "call", "unary", "postfix"))

    def declares(self):
        """A type, and a name or a star behind it."""
        return self.kind() == "name" and TYPE.fullmatch(self.word()) and (self.kind(1) == "name" or self.word(1) == "*")

    def read_expression(self):
        begin = self.begin()
        left = self.read_binary(2)
        sign, at = self.word(), self.begin()
        if left and sign in ASSIGNMENTS:
            self.skip()
            value = self.read_expression()
            return self.make("assignment", begin, ASSIGN, sign, at, [left, value]) if value else left
        if left and sign == "?":
            self.skip()
            first = self.read_expression()
            if first and self.word() == ":":
                self.skip()
                second = self.read_expression()
                if second:
                    return self.make("choice", begin, CHOICE, sign, at, [left, first, second])
        return left

    def read_binary(self, level):
        begin = self.begin()
        left = self.read_unary()
        while left and LEVEL.get(self.word(), 0) >= level:
            sign, at = self.word(), self.begin()
            self.skip()
            right = self.read_binary(LEVEL[sign] + 1)
            if not right and not self.ends():
                break
            left = self.make("binary", begin, LEVEL[sign], sign, at, [left, right])
        return left

    def read_unary(self):
        begin, sign = self.begin(), self.word()
        if sign in PREFIXES:
            self.skip()
            kind = "unary"
        elif self.casts():
            while self.word() != ")":
                self.skip()
            self.skip()
            kind, sign = "cast", ""
        else:
            return self.read_postfix()
        operand = self.read_unary()
        return self.make(kind, begin, UNARY, sign, begin, [operand]) if operand else None

    def casts(self):
        """A type in brackets, and an operand behind it; SCALAR and other names in capitals are types there."""
        if self.word() != "(" or (self.at > 0 and self.word(-1) in BRACKETED):
            return False
        ahead = 1
        while self.word(ahead) == "*" or (self.kind(ahead) == "name" and (TYPE.fullmatch(self.word(ahead)) or self.word(ahead).isupper())):
            ahead += 1
        behind = self.word(ahead + 1)
        return ahead > 1 and self.word(ahead) == ")" and (self.kind(ahead + 1) not in ("sign", "end") or behind in ("(", "!", "-", "~"))

    def read_postfix(self):
        begin = self.begin()
        kind = self.kind()
        if kind in ("number", "string") or (kind == "name" and self.word() not in STATEMENTS + BRACKETED):
            self.skip()
            found = self.make(kind, begin)
        elif self.word() == "(":
            own = self.at > 0 and self.word(-1) in BRACKETED
            self.skip()
            inner = self.read_list(")")
            found = self.make("brackets" if own else "group", begin, POSTFIX, "", begin, inner)
            if own:
                return None
        else:
            return None
        while True:
            sign, at = self.word(), self.begin()
            if sign in ("(", "["):
                self.skip()
                found = self.make("call" if sign == "(" else "index", begin, POSTFIX, sign, at, [found, *self.read_list(CLOSING[sign])])
            elif sign in (".", "->") and self.kind(1) == "name":
                self.skip()
                self.skip()
                found = self.make("member", begin, POSTFIX, sign, at, [found])
            elif sign in ("++", "--"):
                self.skip()
                found = self.make("postfix", begin, POSTFIX, sign, at, [found])
            else:
                return found


OPERATORS = {}
VALUE = "name number call index member group cast unary binary choice postfix"
OPERAND = "name number call index member group cast"


def operator(name, kinds, **more):
    """Registers what makes the edits of an operator: (begin, end, new text) at each node of these kinds."""
    def register(make):
        OPERATORS[name] = (kinds.split(), lambda line, node: make(line, node, **more))
        return make
    return register


def in_place(node, new, level):
    """A text that takes the place of a node, in brackets where the operator beside it binds more tightly."""
    above, least = node.parent, 0
    if above:
        index = above.parts.index(node)
        if above.kind == "binary":
            least = above.level + index
        elif above.kind == "choice":
            least = above.level + (index == 0)
        elif above.sign == "-":  # -(2 * a) is -2 * a
            least = LEVEL["*"]
        elif index == 0 and above.kind in ("unary", "cast", "postfix", "member", "call", "index"):
            least = above.level
    return new if level >= least else f"({new})"


def is_value(node):
    """Not what is assigned to, called or looked into."""
    above = node.parent
    if above and above.kind == "unary":
        return above.sign not in ("&", "++", "--")
    return not (above and above.parts[0] is node and above.kind in ("assignment", "call", "index", "member", "postfix"))


@operator("sign", "binary assignment unary")
def sign(line, node):
    """Plus is minus; the sign of an operand goes."""
    if node.kind != "unary":
        if node.sign in ("+", "-", "+=", "-="):
            yield node.at, node.at + 1, "-" if node.sign[0] == "+" else "+"
    elif node.sign in "+-":
        yield node.begin, node.parts[0].begin, ""


@operator("minus", OPERAND)
def minus(line, node):
    """An operand has a minus."""
    if is_value(node):
        yield node.begin, node.begin, "-"


@operator("comparison", "binary")
def comparison(line, node):
    """Another comparison."""
    signs = "< <= > >= == !=".split()
    if node.sign in signs:
        for other in signs:
            yield node.at, node.at + len(node.sign), other


@operator("logic", "binary")
def logic(line, node):
    """And is or."""
    if node.sign in ("&&", "||", "&", "|"):
        yield node.at, node.at + len(node.sign), node.sign.translate(str.maketrans("&|", "|&"))


@operator("arithmetic", "binary")
def arithmetic(line, node):
    """Times is divided by, a shift is to the other side."""
    other = {"*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<"}
    if node.sign in other:
        yield node.at, node.at + len(node.sign), other[node.sign]


@operator("drop", "binary")
def drop(line, node):
    """One of two operands goes."""
    left, right = node.parts
    yield node.begin, right.begin if right else node.end, ""
    if right:
        yield left.end, node.end, ""


@operator("unwrap", "group")
def unwrapped(line, node):
    """One of two operands goes, and the brackets around them."""
    if len(node.parts) == 1 and node.parts[0].kind == "binary" and all(node.parts[0].parts):
        for operand in reversed(node.parts[0].parts):
            yield node.begin, node.end, line.of(operand)


@operator("drop statement", "statement")
def statement(line, node):
    """A statement goes."""
    yield node.begin, node.end, ""


@operator("not", VALUE)
def negated(line, node):
    """The opposite of a condition."""
    if node.sign == "!":
        yield node.begin, node.parts[0].begin, ""
    elif is_value(node):
        yield node.begin, node.end, f"!{line.of(node)}" if node.level >= UNARY else f"!({line.of(node)})"


@operator("branch", "choice")
def branch(line, node):
    """One branch of a choice, always."""
    for part in node.parts[1:]:
        yield node.begin, node.end, in_place(node, line.of(part), part.level)


@operator("argument", "call")
def argument(line, node):
    """A call is one of its arguments."""
    for part in node.parts[1:]:
        yield node.begin, node.end, in_place(node, line.of(part), part.level)


@operator("swap", "call index binary")
def swap(line, node):
    """Neighbours change places: arguments, indices, operands."""
    pairs = []
    if node.kind == "call":
        pairs = zip(node.parts[1:], node.parts[2:])
    elif node.kind == "index" and node.parts[0].kind == "index":
        pairs = [(node.parts[0].parts[-1], node.parts[-1])]
    elif node.sign in ("-", "/", "%", "<", ">", "<=", ">=") and all(node.parts):
        pairs = [node.parts]
    for first, second in pairs:
        yield first.begin, second.end, line.of(second) + line.text[first.end:second.begin] + line.of(first)


def changed(number, change):
    """A decimal number with another value, of the same type; itself where there is none."""
    found = re.fullmatch(r"(\d+(\.\d*)?(?:e[-+]?\d+)?)([uUlL]*)", number)
    value = change(decimal.Decimal(found[1])).normalize() if found else None
    if not found or value < 0 or (found[1].isdigit() and value != int(value)):
        return number
    digits = f"{value:f}"
    return digits + ("" if found[1].isdigit() or "." in digits else ".0") + found[3]


@operator("constant", "number")
def constant(line, node):
    """A number is one more, one less, twice, half, ten times, a tenth."""
    for change in (lambda n: n + 1, lambda n: n - 1, lambda n: n * 2, lambda n: n / 2, lambda n: n * 10, lambda n: n / 10):
        yield node.begin, node.end, changed(line.of(node), change)


@operator("millionth", OPERAND, factor="1.000001")
@operator("half", OPERAND, factor="0.5")
@operator("double", OPERAND, factor="2.0")
def times(line, node, factor):
    """An operand is multiplied."""
    if node.kind == "number":
        yield node.begin, node.end, changed(line.of(node), lambda n: n * decimal.Decimal(factor))
    elif is_value(node):
        yield node.begin, node.end, in_place(node, f"{factor} * {line.of(node)}", LEVEL["*"])


@operator("one more", VALUE, step="+ 1")
@operator("one less", VALUE, step="- 1")
def stepped(line, node, step):
    """A value is one more or one less."""
    if is_value(node) and node.level >= LEVEL["+"]:
        yield node.begin, node.end, in_place(node, f"{line.of(node)} {step}", LEVEL["+"])


def replaced(line, node, word):
    """A value is this one."""
    if is_value(node):
        yield node.begin, node.end, word


for constant_word in "0 1 0.0 1.0 ZERO ONE false true NO YES NULL".split():
    operator(f"is {constant_word}", VALUE, word=constant_word)(replaced)

PAIRS = """x v, first last, min max, fmin fmax, sin cos, sinh cosh, floor ceil, add subtract, begin end, low high, lower upper, lowest highest,
    smallest largest, least most, left right, top bottom, row col, row column, before after, above below, from to, early late, zero one, yes no,
    true false"""
PARTNERS = {}
for one, other in (pair.split() for pair in PAIRS.split(",")):
    for change in (str, str.upper):
        PARTNERS.setdefault(change(one), change(other))
        PARTNERS.setdefault(change(other), change(one))


@operator("partner", "name member")
def partner(line, node):
    """A name is its partner, as x and v, first and last are; or its last digit is another."""
    word = re.search(r"\w+$", line.of(node))[0]
    syllables = word.split("_")
    for at, syllable in enumerate(syllables):
        if syllable in PARTNERS:
            yield node.end - len(word), node.end, "_".join([*syllables[:at], PARTNERS[syllable], *syllables[at + 1:]])
    if word[-1].isdigit():
        yield node.end - 1, node.end, str(int(word[-1]) + 1)
        yield node.end - 1, node.end, str(abs(int(word[-1]) - 1))


@operator("other", "name member index call")
def other_value(line, node):
    """A value is another one of the line."""
    if is_value(node):
        for other in line.nodes:
            if other.kind in ("name", "member", "index", "call") and is_value(other):
                yield node.begin, node.end, line.of(other)


def shown(line, node, begin, end, new):
    """An edit in words: the expression before and after."""
    while node.parent and node.kind in ("name", "number", "member", "index"):
        node = node.parent
    first, last = min(node.begin, begin), max(node.end, end)
    return f"{line.text[first:last]} -> {line.text[first:begin]}{new}{line.text[end:last]}".rstrip()


def mutants(text):
    """What each operator makes of a line: {operator: {new line: the edit in words}}, in order."""
    line = Line(text)
    made = {}
    for name, (kinds, make) in OPERATORS.items():
        for node in line.nodes:
            for begin, end, new in make(line, node) if node.kind in kinds else ():
                edited = text[:begin] + new + text[end:]
                if edited != text:
                    made.setdefault(name, {}).setdefault(edited, shown(line, node, begin, end, new))
    return made


def main():
    if not 2 <= len(sys.argv) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    for name, edits in mutants(sys.argv[1]).items():
        for number, words in enumerate(edits.values(), 1):
            if sys.argv[2:] in ([], [name]):
                print(f"{name} #{number}: {words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
