"""Lists of articles in JSON: what an API answers, plain or as a call of a script's function (JSONP), or what a page
holds in a script element.

A list is an array of objects. Where it stands, and which fields of an object are its link, title and date, is
found by the fields' names and values; `Paths` takes the word of a user instead.

    source    data in, the analysis out
    paths     where a user says that things are
    fields    which field is what
    ways      the pages before and after
"""

from recrawler.page.jsonlist.paths import PROBE, Paths
from recrawler.page.jsonlist.source import DATA, analyse_json, arrays, decoded, worth
from recrawler.page.jsonlist.ways import Ways, numbered, ways

__all__ = ["DATA", "PROBE", "Paths", "Ways", "analyse_json", "arrays", "decoded", "numbered", "ways", "worth"]
