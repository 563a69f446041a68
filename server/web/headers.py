"""What every answer tells the browser it may not do (RELIABILITY 4.10)."""

from __future__ import annotations

from flask import Flask, Response, request

from server.settings import Settings

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_PARTS = {"text/javascript", "text/css"}
"""What is only ever a part of a page, and a hundred times one: the rest would say nothing there."""
_DOCUMENTS = {
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
BARE = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""For answers that are no page."""


def page_policy(import_map_hash: str, origin: str) -> str:
    """The policy of our pages: our own files only, the import map by its hash, no text made into script."""
    line = origin.replace("http", "ws", 1) if origin else ""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {import_map_hash}",
            "style-src 'self'",
            "img-src 'self' blob: data:",
            "font-src 'self'",
            "media-src 'self'",
            "manifest-src 'self'",
            f"connect-src 'self' {line}".rstrip(),
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types lit-html",
        )
    )


def harden(app: Flask, settings: Settings, import_map_hash: str) -> None:
    """Put the headers on every answer of `app`."""
    is_https = settings.public_origin.startswith("https://")

    @app.after_request
    def _harden(response: Response) -> Response:
        is_part = response.mimetype in _PARTS
        for name, value in (_ALWAYS if is_part else _ALWAYS | _DOCUMENTS).items():
            response.headers.setdefault(name, value)
        is_page = response.mimetype == "text/html"
        origin = settings.public_origin or f"{request.scheme}://{request.host}"
        policy = page_policy(import_map_hash, origin) if is_page else BARE
        if not is_part:
            response.headers.setdefault("Content-Security-Policy", policy)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        if is_https:
            response.headers["Strict-Transport-Security"] = "max-age=31536000"
        return response
