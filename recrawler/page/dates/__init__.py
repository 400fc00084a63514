"""When was it published: the date inside a short text, a <time> attribute, or a URL.

All functions are pure (`now` is an argument) and never raise, whatever the text. In reading order:

    find      find_date, parse_time_attr: the forms are tried, the weightiest date wins
    reading   a text and what it is read against (now, zone, language)
    forms     dates with digits and signs, Chinese and Japanese ones too
    names     dates with a month's name, in any language
    ages      "3 hours ago", "昨天 09:27", "Monday"
    clock     the time of day and the zone beside a date
    weight    how likely a date is that of publication
    fallback  dateparser, for what is left
    words     digits, signs, month and weekday names; agewords: the words of ages
    hints     the date in a URL; the order of day and month in a list
"""

from recrawler.page.dates.find import Found, find_date, parse_time_attr
from recrawler.page.dates.hints import date_from_url, infer_day_first

__all__ = ["Found", "date_from_url", "find_date", "infer_day_first", "parse_time_attr"]
