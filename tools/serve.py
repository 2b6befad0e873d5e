"""Serve a folder on this machine only: `python tools/serve.py _build/html [port]`."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

folder, port = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8000
try:
    server = ThreadingHTTPServer(
        ("127.0.0.1", port), partial(SimpleHTTPRequestHandler, directory=folder)
    )
except OSError as error:
    sys.exit(f"Port {port} cannot be used ({error.strerror}). Choose another: make serve PORT=8001")
print(f"The book is at http://127.0.0.1:{port}/ - end with Ctrl-C", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    print()
