"""Where a described target really is, on the program as it runs now: a rule of the data becomes rectangles. A rule is
`tree: QUERY` (the independent reader of the catalogue), `part: X,Y,WIDTH,HEIGHT of QUERY` (a piece of such an element of which
the tree tells nothing, in pixels from its corner: the plus of a spin button, a cell of a table in GTK 4), `page: ID` (the page's
own geometry), `drawn: THING` (the painter's own table), `text: WORDS` with `#N` for the N-th (the terminal's own text) or
`frame: close` (the window manager's)."""
import re

NTH = re.compile(r"(?P<words>.*?)(?: #(?P<nth>\d+))?$")


def tree(program, query):
    found = program.reader.ask("find_all", pid=program.pid, query=query)["found"]
    return [each["place"] for each in found if min(each["place"][2:]) > 0 and each["place"][0] > -(1 << 20)]


def part(program, rule):
    piece, _, query = rule.partition(" of ")
    left, top, width, height = map(int, piece.split(","))
    return [[x + left, y + top, width, height] for x, y, _, _ in tree(program, query)]


def page(program, identity):
    return program.page_places(identity)


def drawn(program, thing):
    return program.drawn_places(thing)


def text(program, rule):
    asked = NTH.match(rule)
    places = program.text_places(asked["words"])
    return places if asked["nth"] is None else places[int(asked["nth"]):][:1]


def frame(program, rule):
    """openbox puts its close button at the right end of a title bar, about as wide as the bar is high; `close TITLE` is that
    of another window."""
    word, _, title = rule.partition(" ")
    assert word == "close", rule
    windows = program.reader.ask("windows")["windows"]
    chosen = [each for each in windows if (title in each["title"] if title else each["id"] == program.window)]
    return [[x + width - edge[2], y - edge[2], edge[2], edge[2]]
            for (x, y, width, _), edge in ((each["place"], each["frame"]) for each in chosen) if edge[2]]


RULES = {"tree": tree, "part": part, "page": page, "drawn": drawn, "text": text, "frame": frame}


def places(program, rule):
    """All rectangles that the rule means; of a good rule it is one."""
    kind, _, rest = rule.partition(": ")
    return RULES[kind](program, rest)


def contains(place, point):
    x, y, width, height = place
    return x <= point[0] < x + width and y <= point[1] < y + height
