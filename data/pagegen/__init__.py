"""Writes labelled pages for training and tests: index pages, articles and pages that are no list.

The tree of each page is built with marks on the nodes that matter; the labels are read off the marks after
the written page has been parsed again, so they always agree with what a parser sees.
"""
