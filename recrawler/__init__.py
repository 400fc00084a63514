"""recrawler watches news index pages and emits every newly published article link, once and soon.

The map, in reading order; an upper layer imports lower ones only, and everything up to `records` is pure
(no I/O, no clock: `now` is an argument):

    errors       the exception tree
    suffixes     registrable domains by the Public Suffix List
    legacy       query text on pages that are not in UTF-8
    hops         the letters and codes of a crawl
    attributes   what users attach to a URI and hand down
    urls         WHATWG parsing, identity key, registrable domain
    guard        which addresses may be connected to
    crawluri     CandidateURI and CrawlURI
    robots       robots.txt rules and the access decision
    follow       follow policy: which hosts and paths belong to the site
    frontier     the order in which one visit fetches
    scope        the crawling scope
    conformance  the rules so far as functions of plain values
    explain      how all this reads one URL
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
    demo         a news site of our own
    engine       the daemon: who is visited when
    web          its status page, feeds and metrics
    cli          the commands
"""

__version__ = "0.1.0"
