"""One visit of an index page: its pages are read until its lists meet their history.

visitor   calls things in order
ask       what it is asked for beyond the news
trip      what one visit carries: frontier, courses, what was read
course    one series' way through its pages
direction which way a list runs
reader    one page: fetched, analysed, judged
headers   what the headers of its answer add to it
twins     one page under two URLs
renames   a whole list under other URLs
probe     where page 2 may be, if only script knows
landing   where redirects and ways on have led
proof     a list's order, as its articles tell it
gate      which links are given out
outcome   what the visit amounts to, and when to come again
spending  what a fetch costs: the price that meets the budget
past      an index's own history, for playing other budgets on it
"""

from recrawler.visit.ask import Ask
from recrawler.visit.gate import Gate
from recrawler.visit.visitor import Report, Visitor

__all__ = ["Ask", "Gate", "Report", "Visitor"]
