"""The dashboard: one that Grafana takes, of the metrics there are."""

import itertools
import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.domain import ModelRole
from bot.infra.metrics import Metrics
from tests.bot.infra.test_metrics import FIGURES, LEVELS
from tests.test_documents import A_NAME, is_known

ROOT: Final = Path(__file__).parents[2]
DASHBOARD: Final[dict[str, Any]] = json.loads((ROOT / "deploy/grafana.json").read_text("utf-8"))
PANELS: Final[list[dict[str, Any]]] = DASHBOARD["panels"]
COLUMNS: Final = 24
OF_PROMETHEUS: Final = {"instance", "job"}
"""Labels that Prometheus adds to what it fetches."""
OF_PROMQL: Final = {"by", "histogram_quantile", "increase", "label_values", "max", "rate", "sum", "time"}
A_SELECTOR: Final = re.compile(r"(\w+)\{([^}]*)\}")
A_MATCHER: Final = re.compile(r'(\w+)(=|!=|=~)"([^"]*)"')


def _told() -> dict[str, dict[str, set[str]]]:
    """What `/metrics` tells when everything has happened once: by series, the labels with their values."""
    metrics = Metrics()
    metrics.turn_answered({"total": 1.0})
    metrics.model_called(ModelRole.REASONING, 1.0)
    metrics.failed(KeyError())
    metrics.residue_found({"message": 1})
    metrics.job_done("upkeep", 1.0)
    metrics.caught_up(1.0)
    series: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(metrics.exposition(FIGURES, LEVELS).decode()):
        for sample in family.samples:
            labels = series.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return series


SERIES: Final = _told()
QUERIES: Final = [(panel["title"], target["expr"]) for panel in PANELS for target in panel.get("targets", ())]


def _named(query: str) -> set[str]:
    """The series that a query asks for."""
    bare = re.sub(r'"[^"]*"|\[[^]]*\]|\{[^}]*\}|\bby \([^)]*\)', " ", query)
    return set(re.findall(r"[a-zA-Z_]\w*", bare)) - OF_PROMQL


def test_it_is_a_dashboard() -> None:
    """It has what Grafana wants of one to import: a title, an id of its own, the version of its form, and panels."""
    assert {"title": str, "uid": str, "schemaVersion": int, "panels": list, "time": dict, "templating": dict} == {
        key: type(DASHBOARD[key]) for key in ("title", "uid", "schemaVersion", "panels", "time", "templating")
    }
    assert "id" not in DASHBOARD  # Grafana gives it one
    assert {"row", "stat", "timeseries"} == {panel["type"] for panel in PANELS}
    assert len(PANELS) == len({panel["id"] for panel in PANELS}) == len({panel["title"] for panel in PANELS})
    assert len(QUERIES) > 30


def test_no_panel_lies_on_another() -> None:
    """Each has its own place, within the width that there is."""
    places = [panel["gridPos"] for panel in PANELS]
    cells = [
        cell
        for place in places
        for cell in itertools.product(
            range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
        )
    ]

    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < COLUMNS


def test_its_variables_are_declared() -> None:
    """The source of the data is chosen by whoever imports it, and so are processes; nobody else's address is in it."""
    text = json.dumps(DASHBOARD)
    declared = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    sources = {json.dumps(panel["datasource"]) for panel in PANELS if panel["type"] != "row"}

    assert {"datasource", "instance", "job"} == declared
    assert declared == {name for name in re.findall(r"\$\{?(\w+)", text) if not name.startswith("__")}
    assert {json.dumps({"type": "prometheus", "uid": "${datasource}"})} == sources
    assert "://" not in text


def test_a_panel_has_its_queries_under_names_of_their_own() -> None:
    """And says in a sentence what it shows."""
    shown = [panel for panel in PANELS if panel["type"] != "row"]

    assert [] == [panel["title"] for panel in shown if not panel["description"].endswith(".")]
    assert [] == [
        panel["title"]
        for panel in shown
        if not 0 < len({t["refId"] for t in panel["targets"]}) == len(panel["targets"])
    ]


@pytest.mark.parametrize(("title", "query"), QUERIES, ids=[f"{title}-{n}" for n, (title, _) in enumerate(QUERIES)])
def test_what_it_asks_for_is_told(title: str, query: str) -> None:
    """Each series, each label it is divided by, and each value of one that is asked for."""
    assert query.count("(") == query.count(")")
    assert set() == _named(query) - set(SERIES)
    labels: dict[str, set[str]] = {}
    for name, matchers in A_SELECTOR.findall(query):
        labels |= SERIES[name]
        assert "instance" in matchers, f"{title} mixes processes that were not chosen"
        for label, sign, value in A_MATCHER.findall(matchers):
            known = {"$" + label} if label in OF_PROMETHEUS else SERIES[name][label]
            assert (sign == "=~") == (label in OF_PROMETHEUS)
            assert value in known
    divided = {label for group in re.findall(r"\bby \(([^)]*)\)", query) for label in re.split(r", *", group)}
    assert set() == divided - set(labels) - OF_PROMETHEUS


@pytest.mark.parametrize(
    "target", [t for panel in PANELS for t in panel.get("targets", ())], ids=[q for _, q in QUERIES]
)
def test_a_legend_names_what_a_query_leaves(target: dict[str, Any]) -> None:
    """A label in a legend is one the query is divided by."""
    divided = {label for group in re.findall(r"\bby \(([^)]*)\)", target["expr"]) for label in re.split(r", *", group)}

    assert set() == set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) - divided


def test_nothing_that_is_told_is_left_out() -> None:
    """Whatever Hathi counts of itself is on it."""
    ours = {re.sub(r"_(bucket|count|sum|created)$", "", name) for name in SERIES if name.startswith("hathi_")}
    asked = {re.sub(r"_bucket$", "", name) for _, query in QUERIES for name in _named(query)}

    assert set() == ours - asked


def test_a_metric_that_is_not_there_is_seen() -> None:
    """So is one that only begins like one."""
    assert {"hathi_turn_total"} == _named('sum(rate(hathi_turn_total{stage="total"}[5m])) > 0') - set(SERIES)


def test_what_its_descriptions_name_is_the_program_s() -> None:
    """Log events and settings, as documents have them."""
    told = " ".join(panel.get("description", "") for panel in PANELS)
    names = [name.rstrip(".") for name in re.findall(r"\w+\.[\w.]+", told)]

    assert {"job.failed", "loop.held", "erasure.residue"} <= set(names)
    assert [] == [name for name in names if A_NAME.fullmatch(name) and not is_known(name)]


def test_the_metrics_that_are_worth_an_alarm_are_told() -> None:
    """An alarm on a metric that is not there is never raised."""
    named = {*re.findall(r"`[^`\n]*?\b(hathi_\w*[a-z])\b[^`\n]*`", (ROOT / "docs/OPERATIONS.md").read_text("utf-8"))}

    assert len(named) > 10
    assert set() == named - set(SERIES) - {"hathi_bot"}  # that is the wheel
