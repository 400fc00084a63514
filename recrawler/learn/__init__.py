"""Training and evaluation of the page model; the only part that imports scikit-learn.

In reading order: `corpus`, `stages`, `fitting`, `training`, `figures`; `compare` sets kinds of models against
each other.

pages = read_corpus(folder)          labelled pages (see `corpus`)
train(pages)                         the content of a model file
cross_validate(pages)                every page judged by a model that never saw its site
evaluate(pages, analyses)            the figures of analyses against the labels
train_to(folders, path)              the model, and its card beside it
"""

from __future__ import annotations

from recrawler.learn.corpus import Labelled, corpus_hash, read_corpus
from recrawler.learn.figures import Figures, evaluate
from recrawler.learn.stages import FOLDS, Stages
from recrawler.learn.training import cross_validate, evaluation, fold_models, train, train_to

__all__ = [
    "FOLDS",
    "Figures",
    "Labelled",
    "Stages",
    "corpus_hash",
    "cross_validate",
    "evaluate",
    "evaluation",
    "fold_models",
    "read_corpus",
    "train",
    "train_to",
]
