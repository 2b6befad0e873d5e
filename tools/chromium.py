"""Find the Chromium that shows pages to the tests and prints the PDF edition, and keep it offline."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# The same engine without a window takes two thirds of the processor's time, so it is looked for first.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--font-render-hinting=none",  # letters as wide as with a window
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@contextmanager
def launched() -> Iterator[Any]:
    """A Chromium without a window, closed at the end."""
    from playwright.sync_api import sync_playwright  # of the tests and of the PDF alone

    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
