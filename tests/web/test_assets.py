"""Static files: what is packed of our scripts."""

from __future__ import annotations

import gzip

from server.web.assets import Assets, folder, uncommented


def test_comments_on_lines_of_their_own_are_not_sent() -> None:
    script = b'// A.\nconst a = "//"; // b\n/** @param {X} x\n * and more */\n  /** @type {Y} */ (c);\n/** d */\nf();\n'
    assert uncommented(script) == b'\nconst a = "//"; // b\n\n\n  /** @type {Y} */ (c);\n\nf();\n'


def test_every_script_keeps_its_code_line_by_line() -> None:
    root = folder("static")
    assets = Assets(root, is_live=True)
    for path in sorted((root / "js").rglob("*.js")):
        asset = assets.get(path.relative_to(root).as_posix())
        assert asset is not None
        assert asset.packed is not None
        written, sent = asset.content.split(b"\n"), gzip.decompress(asset.packed).split(b"\n")
        assert len(written) == len(sent)
        for before, after in zip(written, sent, strict=True):
            assert after == before or (after == b"" and before.lstrip()[:1] in {b"/", b"*", b""})


def test_third_parties_keep_their_licences() -> None:
    root = folder("static")
    asset = Assets(root, is_live=True).get("vendor/lit-html/lit-html.js")
    assert asset is not None
    assert asset.packed is not None
    assert gzip.decompress(asset.packed) == asset.content
