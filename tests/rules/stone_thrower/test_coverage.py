"""Nothing is left untested: every rule, example and edge case has a test that bears its number, every option two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server.engine.options import choices
from server.rules.stone_thrower import SYSTEM

HERE = Path(__file__).parent
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py"))}
TESTS = [name for text in SOURCES.values() for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)]
TEXT = "\n".join(text for name, text in SOURCES.items() if name != Path(__file__).name)
BODIES = dict(re.findall(r"def (test_\w+)(.*?)(?=\ndef |\n@pytest|\Z)", TEXT, re.DOTALL))

COMMON = {"body_height", "on_timeout", "rounds", "answer_within"}
"""Settings that this system does not read: heights are the profiles', the clock is the table's."""

RULES = [f"ST-{number:02}" for number in range(1, 66)]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test(rule: str) -> None:
    assert any(rule.replace("-", "").lower() in name for name in TESTS)


@pytest.mark.parametrize("example", range(1, 14))
def test_every_worked_example_has_a_test(example: int) -> None:
    assert any(f"test_e{example}_" in name for name in TESTS)


@pytest.mark.parametrize("case", range(1, 31))
def test_every_edge_case_has_a_test(case: int) -> None:
    assert any(f"test_edge_{case:02}_" in name for name in TESTS)


def test_the_rule_look_up_is_whole() -> None:
    assert set(RULES) <= set(SYSTEM.rules)
    assert all(sentence.endswith(".") for sentence in SYSTEM.rules.values())


def test_every_rule_that_the_code_cites_can_be_looked_up() -> None:
    code = Path(__file__).parents[3] / "server" / "rules" / "stone_thrower"
    cited = {rule for path in code.glob("*.py") for rule in re.findall(r'"((?:ST|CM)-\d\d)"', path.read_text("utf-8"))}
    assert cited <= set(SYSTEM.rules)


@pytest.mark.parametrize("key", [choice.key for choice in choices(SYSTEM.options) if choice.key not in COMMON])
def test_every_option_has_a_test_that_names_it(key: str) -> None:
    assert any(key in name or f"{key}=" in body for name, body in BODIES.items())
