"""Find the Chromium that shows pages to the tests and prints the PDF edition, and keep it offline."""

import shutil

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
