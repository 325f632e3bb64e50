"""How the page looks: colours for light and dark, and the style sheet made of them."""

from typing import Final, TypeAlias

Colour: TypeAlias = tuple[int, int, int]

BLACK: Final = (0, 0, 0)
WHITE: Final = (255, 255, 255)
READABLE: Final = 4.5  # the contrast that WCAG 2 asks of words, level AA
STEPS: Final = 20  # of the heat map, from "always below" to "always above"

# ink and dim are for words on bg, too; acc and bad for words and pictures.
LIGHT: Final = {
    "bg": "#faf9f6",
    "ink": "#22252a",
    "dim": "#5c6169",
    "line": "#dfdbd0",
    "acc": "#1b6ca8",
    "bad": "#b3261e",
    "self": "#e9e6de",
}
DARK: Final = {
    "bg": "#16191d",
    "ink": "#e7e4dc",
    "dim": "#a3a9b1",
    "line": "#363c44",
    "acc": "#6db3e8",
    "bad": "#ff8a80",
    "self": "#2b3037",
}
# Orange to blue: the pair that the common kinds of colour blindness leave apart. White in the middle is paper, so on
# dark paper it is dark.
HEAT_LIGHT: Final = ((190, 96, 22), (253, 253, 252), (38, 106, 176))
HEAT_DARK: Final = ((196, 104, 34), (34, 38, 44), (44, 122, 196))


def heat(step: int, ends: tuple[Colour, Colour, Colour]) -> tuple[Colour, Colour]:
    """Paper and ink of a step of the heat map."""
    low, middle, high = ends
    share = 2 * step / STEPS - 1
    end = high if share > 0 else low
    paper = _mixed(middle, end, abs(share))
    return paper, WHITE if contrast(WHITE, paper) >= READABLE else BLACK


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2: 1 (none) to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def colour(words: str) -> Colour:
    """From `#rrggbb`."""
    red, green, blue = bytes.fromhex(words.removeprefix("#"))
    return red, green, blue


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _luminance(shade: Colour) -> float:
    shares = [part / 255 for part in shade]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _scheme(colours: dict[str, str], ends: tuple[Colour, Colour, Colour]) -> str:
    named = ";".join(f"--{name}:{value}" for name, value in colours.items())
    cells = (
        f".h{step}{{background:#{bytes(paper).hex()};color:#{bytes(ink).hex()}}}"
        for step in range(STEPS + 1)
        for paper, ink in [heat(step, ends)]
    )
    return f":root{{{named}}}\n" + "\n".join(cells)


_RULES: Final = """
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,"DejaVu Sans",sans-serif;background:var(--bg);color:var(--ink);margin:0;overflow-wrap:anywhere}
header,main,footer{max-width:1120px;margin:0 auto;padding:0 16px}
header{padding-top:28px}
footer{padding-top:24px;padding-bottom:32px;color:var(--dim);font-size:.87em}
h1{font-size:1.7em;line-height:1.25;margin:0 0 4px}
h2{font-size:1.2em;margin:40px 0 4px}
h3{font-size:1em;margin:20px 0 4px}
p{margin:4px 0;max-width:46rem}
a{color:var(--acc)}
.dim,small{color:var(--dim)}
small{display:block;font-weight:400;font-size:.8em;line-height:1.35}
ul{margin:6px 0;padding-left:1.2rem;max-width:46rem}
li{margin:3px 0}
.pair{display:flex;flex-wrap:wrap;gap:0 48px}
.pair section{min-width:min(100%,20rem);max-width:100%}
.pair p,.pair ul{width:0;min-width:100%}
.lists{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));gap:0 56px}
.games{list-style:none;padding:0;max-width:none}
.games li{padding:6px 0;border-bottom:1px solid var(--line)}
code{font:.87em/1.5 ui-monospace,"DejaVu Sans Mono",monospace;user-select:all}
.games code{display:block}
.games a{white-space:nowrap}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.scroll{overflow-x:auto;position:relative;margin:10px 0;max-width:100%}
.scroll:focus-visible{outline:2px solid var(--acc);outline-offset:2px}
table{border-collapse:collapse;width:max-content;font-variant-numeric:tabular-nums}
td,th{padding:6px 9px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
thead th{color:var(--dim);font-weight:600;font-size:.87em;vertical-align:bottom}
th[scope=row],thead .left{text-align:left}
th[scope=row]{position:sticky;left:0;z-index:1;background:var(--bg);}
th[scope=row] bdi{display:inline-block;max-width:15rem;white-space:normal;overflow-wrap:break-word;vertical-align:top}
td.axis,th.axis{padding:0 6px}
th.axis{padding-bottom:6px}
svg{display:block;overflow:visible}
svg text{font-size:12px;font-weight:400;fill:var(--dim)}
.grid{stroke:var(--line)}
.bar{stroke:var(--acc);stroke-width:2}
.point{fill:var(--acc)}
.fixed{fill:var(--bg);stroke:var(--ink);stroke-width:2}
.half{fill:var(--acc);fill-opacity:.35;stroke:var(--acc)}
.reach{stroke:var(--dim);stroke-width:1.5}
.limit{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:3 3}
.bad{color:var(--bad);font-weight:600}
.heat td{text-align:center;min-width:60px;padding:4px 6px;border:1px solid var(--bg)}
.heat thead th:not(.left){text-align:center}
.heat td small{color:inherit}
.heat .self{background:var(--self)}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 20px;margin:10px 0;max-width:52rem}
.facts dt{color:var(--dim)}
.facts dd{margin:0}
@media(max-width:560px){body{font-size:14px}td,th{padding:5px 7px}th[scope=row] bdi{max-width:9rem}.facts{display:block}.facts dd{margin:0 0 8px}}
@media print{@page{margin:14mm}:root{--bg:#fff}body{font-size:11px}svg text{font-size:10px}header,main,footer{max-width:none;padding:0}.scroll{overflow:visible}td,th{padding:3px 6px}h2{margin-top:20px}h2,h3{break-after:avoid}tr,li{break-inside:avoid}th[scope=row]{position:static}.heat td,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""

STYLE: Final = (
    f"\n{_scheme(LIGHT, HEAT_LIGHT)}\n"
    # Paper is white: a dark page is printed light.
    f"@media screen and (prefers-color-scheme:dark){{\n{_scheme(DARK, HEAT_DARK)}\n}}{_RULES}"
)
