"""The first stage of ranking blocks: few are left, and the list is among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recrawler.learn.corpus import read_corpus
from recrawler.learn.stages import Outlined, outlined
from recrawler.page.blocks import Finder
from recrawler.page.classifier import Model, load_model
from recrawler.page.document import parse
from recrawler.page.facts import PageFacts, facts
from recrawler.page.glance import MAX_MEASURED, NAMES, glance, shortlist
from recrawler.page.outline import outline

ROOT = Path(__file__).parent.parent


def read(html: str) -> PageFacts:
    doc = parse(html, "https://news.example/")
    tree = outline(doc)
    return facts(doc, tree, Finder(doc, tree))


@pytest.fixture(scope="module")
def learnt() -> Model:
    model = load_model().get("glance")
    assert model is not None and model.features == NAMES
    return model


@pytest.fixture(scope="module")
def labelled() -> list[Outlined]:
    pages = read_corpus(ROOT / "data" / "corpus")[::4]
    return [known for page in pages if page.blocks() and (known := outlined(page)).fit.max() >= 0.8]


def test_the_list_is_among_the_few_that_are_measured(labelled: list[Outlined], learnt: Model) -> None:
    sizes, hits = [], []
    for known in labelled:
        found = shortlist(known.candidates, known.facts, learnt)
        fit = {id(c): f for c, f in zip(known.candidates, known.fit, strict=True)}
        sizes.append(len(found))
        hits.append(max(fit[id(c)] for c in found) >= 0.8)
    assert len(hits) > 40
    assert sum(hits) / len(hits) >= 0.97
    assert sum(sizes) / len(sizes) <= 4.5
    assert max(sizes) <= MAX_MEASURED


def test_without_a_model_those_with_most_text_are_measured(labelled: list[Outlined]) -> None:
    for known in labelled[:10]:
        found = shortlist(known.candidates, known.facts, None)
        assert 0 < len(found) <= MAX_MEASURED
        assert found[0].mass == max(c.mass for c in known.candidates)


def test_a_page_without_links_has_nothing_to_measure(learnt: Model) -> None:
    page = read("<p>nothing here</p>")
    assert shortlist(page.finder.find(), page, learnt) == []
    assert glance([], page).shape == (0, len(NAMES))


def test_thumbnails_count_as_if_they_had_their_titles(learnt: Model) -> None:
    rows = "".join(
        f'<li><a href="/a/{i}.html"><img src="/{i}.jpg"></a><h3>A title of an article, number {i}</h3></li>'
        for i in range(9)
    )
    menu = "".join(f'<a href="/m{i}/">Topic {i} of all</a> ' for i in range(6))
    page = read(f"<div class=top>{menu}</div><ul>{rows}</ul>")
    best = [
        page.doc.anchors[k].raw for c in shortlist(page.finder.find(), page, learnt)[:3] for k in c.chosen
    ]
    assert "/a/0.html" in best
