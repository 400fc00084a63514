"""recrawler watches news index pages and emits every newly published article link, once and soon.

The map, in reading order; an upper layer imports lower ones only, and everything up to `records` is pure
(no I/O, no clock: `now` is an argument):

    errors       the exception tree
    urls         WHATWG parsing, identity key, registrable domain
    follow       follow policy: which hosts and paths belong to the site
    crawluri     CandidateURI and CrawlURI, hop paths, the frontier's order
    robots       robots.txt rules and the access decision
    scope        the crawling scope
    page         HTML in; listings, bars, order and dates out
    completion   when a walk over the pages of a list may stop, and what is new
    cadence      publish-rate estimate and the time of the next visit
    records      what is remembered: index pages, visits, links
    settings     every knob, its default and its unit
    fetch        HTTP: politeness, limits, guard, charset, validators
    store        SQLite
    sinks        delivery of the outbox
    learn        training and evaluation of the page model
    visit        one visit, start to end
    engine       the daemon: who is visited when
    web          status page, metrics, feeds
    cli          the commands
"""

__version__ = "0.1.0"
