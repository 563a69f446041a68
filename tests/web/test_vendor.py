"""The server notices browser code that does not match the lock file, and says how to mend it."""

import json
import re
from pathlib import Path

import pytest

from server.web import vendor

STATIC = Path(__file__).parents[2] / "static"


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A small static folder in which all is well."""
    folder = tmp_path / "a folder" / "static"
    (folder / "vendor" / "lib").mkdir(parents=True)
    (folder / "package-lock.json").write_text('{"lockfileVersion": 3}')
    (folder / "package.json").write_text(json.dumps({"vendor": {"lib/lib.js": "lib/dist/lib.min.js"}}))
    (folder / "vendor" / "lib" / "lib.js").write_text("export {}")
    (folder / "vendor" / ".stamp").write_text(vendor.wanted_stamp(folder))
    return folder


def test_matching_files_are_no_problem(static: Path) -> None:
    assert vendor.vendor_problem(static) is None


def test_an_absent_folder_is_told_with_the_command_that_mends_it(static: Path) -> None:
    (static / "vendor" / ".stamp").unlink()
    problem = vendor.vendor_problem(static)
    assert problem is not None
    assert "not in place" in problem
    assert problem.endswith(f"-m pip install --no-deps --editable '{static.parent}'")


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_a_changed_lock_or_file_list_is_told(static: Path, name: str) -> None:
    with (static / name).open("a") as file:
        file.write("\n")
    assert "package-lock.json" in (vendor.vendor_problem(static) or "")


def test_a_lost_file_is_told_by_its_name(static: Path) -> None:
    (static / "vendor" / "lib" / "lib.js").unlink()
    assert "lib/lib.js" in (vendor.vendor_problem(static) or "")


def test_this_checkout_has_what_its_lock_names() -> None:
    assert vendor.vendor_problem(STATIC) is None


def test_every_import_between_served_modules_is_served_too() -> None:
    folder = STATIC / "vendor"
    for name in vendor.vendor_files(STATIC):
        if name.endswith(".js"):
            source = (folder / name).read_text("utf-8")
            for target in re.findall(r'(?:from|import)\s*"(\.[^"]+)"', source):
                assert (folder / name).parent.joinpath(target).is_file(), f"{name} imports {target}"


def test_the_lock_names_no_address() -> None:
    packages = json.loads((STATIC / "package-lock.json").read_text("utf-8"))["packages"]
    assert not [name for name, entry in packages.items() if "resolved" in entry]
    assert not [name for name, entry in packages.items() if name and "integrity" not in entry]
