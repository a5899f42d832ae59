"""The icons of the web server, and the preview picture of its home page, drawn by Chromium from SVG.

    python -m tools.icons   write favicon.ico, icon-turn.svg, icons/*.png and preview.png

They are part of the repository; run this again when icon.svg or the picture of a game has changed.
"""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from shutil import which

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from numberduels.game import registry

STATIC = Path(__file__).parents[1] / "src" / "numberduels" / "web" / "http" / "static"
ICON = STATIC / "icon.svg"

SIZES = {"apple-touch-icon": 180, "icon-192": 192, "icon-512": 512}
"""The pictures and their width in pixels."""
FAVICON = (16, 32, 48)

BADGE = '<circle cx="25" cy="7" r="6" fill="#d6277f" stroke="#ffffff" stroke-width="1.5"/>'
"""The mark of the icon while it is your turn."""

CORNERS = 'rx="7"'
"""The round corners of the icon; systems that cut icons themselves need a full square."""


def drawn(browser: Browser, svg: str, size: int, share: float = 1) -> Image.Image:
    """The icon in a square of this size, of which it takes this share; the rest is transparent."""
    page = browser.new_page(viewport={"width": size, "height": size})
    width = round(size * share)
    page.set_content(
        f"<style>body{{margin:0;display:grid;place-items:center;height:{size}px}}</style>"
        f'<div style="width:{width}px;height:{width}px">{svg}</div>'
    )
    data = page.screenshot(omit_background=True)
    page.close()
    return Image.open(BytesIO(data))


def home(browser: Browser, icon: str) -> Image.Image:
    """The preview picture of the home page: the icon, the name, the five games."""
    pictures = [str(spec.resource("picture.svg")) for spec in registry.specs()]
    page = browser.new_page(viewport={"width": 1200, "height": 630})
    # Each picture is a document of its own: their ids would clash on one page.
    sources = [f"data:image/svg+xml;base64,{b64encode(each.encode()).decode()}" for each in pictures]
    page.set_content(
        "<style>body{margin:0;background:#0b1d30;display:grid;grid-template-columns:repeat(3,368px);gap:24px;"
        "padding:24px;width:1152px;height:582px;align-content:center;box-sizing:content-box}"
        "img{width:100%;border-radius:18px}div{display:grid;place-content:center;justify-items:center;"
        "color:#fff;font:700 46px system-ui,sans-serif;gap:14px}svg{width:112px}</style>"
        f"<div>{icon}Number Duels</div>" + "".join(f'<img src="{each}">' for each in sources)
    )
    page.wait_for_function("[...document.images].every((each) => each.complete)")
    return Image.open(BytesIO(page.screenshot()))


def small(picture: Image.Image, colours: int = 64) -> Image.Image:
    """The picture with a palette: there are few colours."""
    return picture.quantize(colours, Image.Quantize.FASTOCTREE)


def main() -> None:
    """Write all of them."""
    svg = ICON.read_text(encoding="utf-8")
    (STATIC / "icon-turn.svg").write_text(svg.replace("</svg>", f"{BADGE}</svg>"), encoding="utf-8")
    folder = STATIC / "icons"
    folder.mkdir(exist_ok=True)
    square = svg.replace(CORNERS, "")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"]) as browser,
    ):
        for name, size in SIZES.items():
            form = square if name == "apple-touch-icon" else svg
            small(drawn(browser, form, size)).save(folder / f"{name}.png", optimize=True)
        # The middle of a maskable icon, a disc of 80 % of its width, is always seen.
        ground = Image.new("RGBA", (512, 512), "#12355b")
        ground.alpha_composite(drawn(browser, square, 512, 0.7).convert("RGBA"))
        small(ground).save(folder / "maskable-512.png", optimize=True)
        small(home(browser, svg).convert("RGB"), 256).save(STATIC / "preview.png", optimize=True)
        largest, *rest = [drawn(browser, svg, size) for size in reversed(FAVICON)]
        largest.save(STATIC / "favicon.ico", append_images=rest, sizes=[(each, each) for each in FAVICON])


if __name__ == "__main__":
    main()
