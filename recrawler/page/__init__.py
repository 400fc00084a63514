"""HTML in; listings, bars, order and dates out. All pure: no script is run, nothing is fetched.

From the page to its analysis, in reading order:

    types           what the analysis says, and its JSON shape
    outline         the tree as flat lists; document: decoded, parsed and capped once; tree: parsed as browsers
                    do; carried: rows in scripts, put where a reader sees them; clicks: rows that script opens,
                    made links
    facts           what is measured once for all candidate blocks
    blocks          the repeated structures that may be its list; glance: which are worth measuring;
                    block_features: what is measured of one
    rows            the rows of a block; row_texts, row_titles and row_dates: what stands in them
    strays          articles of a list that are marked up unlike its rows; intruders: what is made like a
                    row and is none
    groups          groups of links that may be pagination bars; groupfeatures: what is measured of one
    words, slots    what a short link says; where a page's number stands in its URL
    reading         what a candidate bar says of pages
    features        what is measured of the links of a bar
    options         sort and page-size links, which are no pages
    roles, ways     what each link of a bar is, and where the bar leads
    bars            a bar as it was found
    pagination      the bars that are links; pagers, scripts, forms: those that are not
    classifier      the learnt models as plain data; kind: index, article or other
    choice, joint   which blocks are listings, judged with their bars; pairing: which bar pages which;
                    abreast: lists side by side; wholes: a list rather than its parts;
                    zones: a list that runs on from zone to zone
    dates           when was it published
    order           is a list sorted by publish time
    listings        a block made a listing
    signs, verdict  what a page is that holds no list
    jsonlist        lists in JSON; beyond: feeds, where browsers are sent on to, lists in data
    country         what a host's country tells of its clock
    survey          all of it joined: one HTML document; analysis: whatever a body is
    article         when an article says that it was published
"""
