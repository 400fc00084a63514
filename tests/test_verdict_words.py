"""What stands in the place of a list, in the words of many languages, and pages that only speak of such things."""

from __future__ import annotations

import pytest

from tests.pagekit import FOOT, NAV, day, href, hrefs, page, read, rows, titles, urls_of
from tests.test_verdict import small

BUTTON = "<form action=/ok><button>{}</button></form>"
LOGIN = '<form method=post><input name=a><input type=password name=b><input type=submit value="{}"></form>'

GONE = {
    "de": ("Seite nicht gefunden", "Die angeforderte Seite konnte nicht gefunden werden."),
    "fr": ("Page introuvable", "La page que vous recherchez n'existe pas ou a été déplacée."),
    "es": ("Página no encontrada", "Lo sentimos, la página que buscas no existe."),
    "pt": ("Página não encontrada", "A página que você procura não existe."),
    "pl": ("Nie znaleziono strony", "Strona, której szukasz, nie istnieje."),
    "ru": ("Страница не найдена", "К сожалению, такой страницы нет на сайте."),
    "ja": ("お探しのページは見つかりませんでした", "URLをご確認ください。"),
    "ko": ("페이지를 찾을 수 없습니다", "요청하신 페이지가 존재하지 않습니다."),
    "zh": ("您访问的页面不存在", "可能已被删除或更名。"),
    "ar": ("الصفحة غير موجودة", "عذرا، الصفحة التي تبحث عنها غير متوفرة."),
    "vi": ("Không tìm thấy trang", "Trang bạn tìm kiếm không tồn tại."),
    "th": ("ไม่พบหน้าที่คุณต้องการ", "ขออภัย ไม่พบหน้านี้"),
    "sv": ("Sidan kunde inte hittas", "Sidan du söker finns inte."),
    "el": ("Η σελίδα δεν βρέθηκε", "Η σελίδα που ζητήσατε δεν υπάρχει."),
    "he": ("הדף לא נמצא", "הדף שחיפשת אינו קיים."),
    "hu": ("Az oldal nem található", "A keresett oldal nem létezik."),
    "fi": ("Sivua ei löytynyt", "Etsimääsi sivua ei ole."),
    "en": ("Oops! That page can’t be found.", "It looks like nothing was found at this location."),
}
EMPTY = {
    "de": "Derzeit sind keine Meldungen vorhanden.",
    "fr": "Aucune actualité pour le moment.",
    "es": "No se encontraron resultados.",
    "pt": "Nenhuma notícia encontrada.",
    "it": "Nessuna notizia disponibile.",
    "pl": "Brak wiadomości do wyświetlenia.",
    "ru": "В этом разделе пока нет новостей.",
    "ja": "現在、お知らせはありません。",
    "ko": "등록된 게시물이 없습니다.",
    "zh": "没有找到相关记录",
    "ar": "لا توجد أخبار حاليا",
    "tr": "Gösterilecek haber bulunamadı.",
    "vi": "Chưa có bài viết nào.",
    "th": "ไม่มีข่าวในขณะนี้",
    "sv": "Det finns inga nyheter att visa.",
    "uk": "Новин поки немає.",
    "en": "Sorry, no posts matched your criteria.",
}
BLOCKED = {
    "de": ("Sicherheitsüberprüfung", "Bitte bestätigen Sie, dass Sie ein Mensch sind."),
    "fr": ("Vérification", "Veuillez confirmer que vous n'êtes pas un robot."),
    "es": ("Un momento", "Confirma que no eres un robot."),
    "ru": ("Проверка", "Подтвердите, что вы не робот."),
    "ja": ("アクセス確認", "あなたがロボットではないことを確認しています。"),
    "zh": ("访问受限", "您的访问行为存在异常，请完成下方验证"),
    "tr": ("Bir dakika", "Robot olmadığınızı doğrulayın."),
    "en": ("403 Forbidden", "nginx"),
    "nl": ("Error 1020", "Access denied."),
}
PARKED = {
    "de": "Diese Domain steht zum Verkauf.",
    "fr": "Ce nom de domaine est réservé.",
    "es": "El dominio está en venta.",
    "pt": "Este domínio está à venda.",
    "ru": "Домен продаётся.",
    "zh": "您访问的域名正在出售！",
    "ja": "このドメインは販売中です",
    "en": "This web hosting account has expired.",
}
CONSENT = {
    "de": ("Ihre Privatsphäre", "Wir und unsere Partner speichern Cookies.", "Zustimmen und weiter"),
    "fr": ("Votre vie privée", "Nous et nos partenaires stockons des informations.", "Accepter &amp; Fermer"),
    "es": ("Tu privacidad nos importa", "Utilizamos cookies.", "Aceptar y cerrar"),
    "it": ("La tua privacy", "Noi e i nostri partner utilizziamo cookie.", "Accetta e continua"),
    "nl": ("Wij geven om je privacy", "Wij gebruiken cookies.", "Akkoord"),
    "ja": ("クッキーの使用について", "当サイトではクッキーを使用しています。", "同意する"),
    "en": ("Age verification", "You must be 18 years or older to enter this site.", "Enter"),
}
LOGINS = {
    "zh": ("用户登录", "登 录"),
    "ru": ("Вход в систему", "Войти"),
    "fr": ("Connectez-vous", "Valider"),
    "pt": ("Acesse sua conta", "Acessar"),
    "sv": ("Logga in", "OK"),
}


def framed(title: str, content: str) -> str:
    return small(f"{NAV}<main><h1>{title}</h1>{content}</main>{FOOT}", title)


@pytest.mark.parametrize("lang", GONE)
def test_a_page_that_is_gone_whatever_it_lists_instead(lang: str) -> None:
    title, text = GONE[lang]
    others = "<ul>" + rows(6, lambda i, t, u, d: f'<li><a href="{u}">{t}</a></li>') + "</ul>"
    assert read(framed(title, f"<p>{text}</p>{others}")).verdict == "soft-404"


@pytest.mark.parametrize("lang", EMPTY)
def test_a_list_without_rows(lang: str) -> None:
    found = read(framed("Gazette", f'<div class="list"><p>{EMPTY[lang]}</p></div>'))
    assert (found.verdict, found.main) == ("empty", None)


@pytest.mark.parametrize("lang", BLOCKED)
def test_a_refusal_or_a_challenge(lang: str) -> None:
    title, text = BLOCKED[lang]
    assert read(small(f"<h1>{title}</h1><p>{text}</p>", title)).verdict == "blocked"


@pytest.mark.parametrize("lang", PARKED)
def test_a_domain_that_nobody_uses(lang: str) -> None:
    ads = "".join(f'<li><a href="https://ads.example/?k={x}">{x}</a></li>' for x in ("cars", "loans", "news"))
    assert read(small(f"<h1>{PARKED[lang]}</h1><ul>{ads}</ul>", "x")).verdict == "parked"


def test_a_page_about_its_own_address_is_parked_in_any_language() -> None:
    ads = "".join(f'<li><a href="https://ads.example/?k={x}">{x}</a></li>' for x in ("qwe", "asd", "zxc"))
    assert read(small(f"<h1>gazette.example</h1><p>Lorem ipsum.</p><ul>{ads}</ul>", "x")).verdict == "parked"


@pytest.mark.parametrize("lang", CONSENT)
def test_a_question_before_the_page(lang: str) -> None:
    head, text, accept = CONSENT[lang]
    assert read(small(f"<h2>{head}</h2><p>{text}</p>{BUTTON.format(accept)}", "x")).verdict == "consent"


@pytest.mark.parametrize("lang", LOGINS)
def test_a_login(lang: str) -> None:
    head, button = LOGINS[lang]
    assert read(small(f"<h1>{head}</h1>{LOGIN.format(button)}", "x")).verdict == "login"


def test_a_login_by_mail_has_no_password_yet() -> None:
    form = '<form method=post><input type=email name=a><button>Continue</button></form><a href="/oauth">Other</a>'
    found = read(
        small(f"<h1>Members only</h1>{form}", "Sign in"), "https://gazette.example/login?return=/news/"
    )
    assert found.verdict == "login"


@pytest.mark.parametrize(
    "content",
    [
        '<div id="news-list"></div><script>fetch("/api/list?page=1").then(render)</script>',
        '<ul id="list"></ul><script>$.get("/api/list?page=1", function(d) { show(d) })</script>',
        '<div class="box">加载中...</div><script src="/app.js"></script>',
        '<ul id="list"><li v-for="x in rows"><a :href="x.url">{{ x.title }}</a></li></ul><script>new Vue({})</script>',
        '<iframe src="/inner.html"></iframe>',
    ],
)  # fmt: skip
def test_menus_around_what_script_fills_are_a_shell(content: str) -> None:
    assert read(framed("News", content)).verdict == "shell"


BANNER = "<div class=cookie><p>We use cookies. Privacy policy.</p><button>Accept all</button></div>"


@pytest.mark.parametrize(
    "aside", [BANNER, "<aside><h3>Comments</h3><p>No posts found.</p></aside>", LOGIN.format("Log in")]
)
def test_a_list_of_one_row_stays_a_list_beside_banners_and_boxes(aside: str) -> None:
    row = f'<ul class="list"><li><a href="{href(0)}">{titles(1)[0]}</a> <span>{day(0)}</span></li></ul>'
    bar = '<div class="pages"><a href="/news/?page=1">1</a> <a href="/news/?page=6">6</a> <b>7</b></div>'
    found = read(page(row, bar=bar, side=aside), "https://gazette.example/news/?page=7")
    assert (found.verdict, urls_of(found)) == ("list", hrefs(1))


@pytest.mark.parametrize(
    "said",
    ["There are no results yet.", "Is this domain for sale?", "Confirm that you are not a robot.", "加载中"],
)
def test_an_article_may_speak_of_anything(said: str) -> None:
    prose = "".join(
        f"<p>{t}. {'The council met on Tuesday and spoke about it. ' * 6}</p>" for t in titles(12)
    )
    found = read(small(f"{NAV}<h1>{titles(1)[0]}</h1><p>{said}</p>{prose}{FOOT}", titles(1)[0]))
    assert (found.verdict, found.kind) == ("no-list", "article")


def test_a_sidebar_is_not_the_list_that_has_no_rows() -> None:
    side = "<aside><ul>" + rows(5, lambda i, t, u, d: f'<li><a href="{u}">{t}</a></li>') + "</ul></aside>"
    found = read(page("<h1>Politics</h1><p>There are no articles yet.</p>", bar="", side=side))
    assert (found.verdict, found.main) == ("empty", None)


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("zh", "港务局在周二的会议上表决通过了新码头方案，工程预计明年动工。"),
        ("ja", "港湾局は火曜日の会議で新しい岸壁の計画を採決した。着工は来年の予定だ。"),
        ("ko", "항만청은 화요일 회의에서 새 부두 계획을 표결했다. 공사는 내년에 시작될 예정이다."),
    ],
)
def test_short_paragraphs_of_dense_scripts_are_an_article(lang: str, sentence: str) -> None:
    prose = "".join(f"<p>{sentence}{i}</p>" for i in range(9))
    html = small(f"{NAV}<h1>{sentence[:12]}</h1><div>{prose}</div>{FOOT}", sentence[:12])
    assert read(html, "https://gazette.example/a/300.html").kind == "article"
