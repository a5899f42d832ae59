"""What browsers ask a site for by themselves: icons, manifest, service worker, offline page."""

from __future__ import annotations

from io import BytesIO

from PIL import Image
from starlette.testclient import TestClient


def test_browsers_find_the_icons_where_they_look_for_them(visitor: TestClient) -> None:
    favicon = visitor.get("/favicon.ico")
    assert favicon.headers["content-type"] == "image/x-icon"
    assert favicon.headers["cache-control"] == "public, max-age=86400"
    icon = Image.open(BytesIO(favicon.content))
    assert icon.format == "ICO" and icon.info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    apple = visitor.get("/apple-touch-icon.png")
    assert Image.open(BytesIO(apple.content)).size == (180, 180)


def test_the_manifest_installs_the_site_as_an_app(visitor: TestClient) -> None:
    answer = visitor.get("/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert {"name", "short_name", "start_url", "display", "theme_color"} <= manifest.keys()
    for icon in manifest["icons"]:
        found = visitor.get(icon["src"])
        assert found.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            width, height = Image.open(BytesIO(found.content)).size
            assert icon["sizes"] == f"{width}x{height}"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}  # what Chromium requires
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    for shortcut in manifest["shortcuts"]:
        assert visitor.get(shortcut["url"]).status_code == 200


def test_the_service_worker_changes_with_the_offline_page(visitor: TestClient) -> None:
    answer = visitor.get("/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert visitor.get("/service-worker.js").text == answer.text
    assert visitor.get("/service-worker.js", headers={"accept-language": "de"}).text != answer.text
