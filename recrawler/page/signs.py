"""The words by which a page says that it is no list, in many languages.

A sentence of this kind has two parts, a thing and what became of it ("page" and "not found", "domain" and "for
sale"), and the many ways to say it are few words for each. So patterns are made of parts, either part first,
with a few words between them.
"""

from __future__ import annotations

import re

_NEAR = r"[^.!?。！？|]{0,40}?"  # between the parts: the same sentence


def find(sign: str, text: str) -> str:
    """What a text has of one of the signs below, '' if nothing. They are compiled when first asked for: most pages
    ask for one. They are written in lower case: patterns that look at letters of either case take three times
    as long."""
    lowered = text.replace("İ", "i").lower()  # as long as the text: no other letter grows
    if (part := _PARTS.get(sign)) is not None and re.search(part, lowered) is None:
        return ""
    hit = re.search(sign, lowered)
    return text[hit.start() : hit.end()] if hit else ""


def _both(things: str, fates: str) -> str:
    """Either part first."""
    return rf"(?:{things}){_NEAR}(?:{fates})|(?:{fates}){_NEAR}(?:{things})"


_PAGE = (
    r"\bpage\b|\bseite\b|p[áàa]gina\b|\bsid(?:a|an|e|en)\b|\bsivua?\b|\bstron[ayę]\b|str[áa]nk[ayu]\b|\boldal\b|"
    r"\bsayfa|\bhalaman\b|\btrang\b|หน้า|σελίδα|страниц|сторінк|\bstranica\b|הדף|דף זה|העמוד|الصفحة|صفحه|पृष्ठ|पेज|"
    r"পৃষ্ঠা|পাতা|ページ|페이지|页面|頁面|网页|網頁|url"
)
_TEXT = (
    r"\b(?:article|document|content|story|post|artikel|dokument|inhalt|contenu|art[íi]culo|artigo|articolo|"
    r"contenido|conteúdo|artykuł|článek|cikk|yazı|içerik|bài viết|άρθρο|документ|статья|материал|стаття|המאמר|"
    r"المقال|مطلب)|\b(?:category|topic|thread|forum)\b|記事|コンテンツ|문서|게시물|文章|内容|內容|信息|文件|主题|主題|帖子|栏目|"
    r"欄目|版块|频道"
)
_GONE = (
    r"not (?:be )?found|can(?:no|['’])t be found|could ?n[o'’]t be found|does ?(?:not|n['’]t) exist|"
    r"no longer (?:exist|available)|is (?:not|n['’]t) available|\b(?:removed|deleted)\b|\bmissing\b|"
    r"(?:nicht|konnte nicht) (?:mehr )?(?:gefunden|vorhanden|verfügbar|auffindbar|existier)|existiert (?:leider )?nicht|"
    r"introuvable|non trouv|n['’](?:existe|est|a) (?:pas|plus)|no (?:se )?(?:ha )?(?:sido )?(?:encontr|exist|disponible)|"
    r"não (?:foi )?(?:encontr|exist|disponível)|non (?:è stat[oa] )?(?:trovat|esist|disponibil)|"
    r"niet (?:worden )?(?:gevonden|beschikbaar)|bestaat (?:helaas )?niet|inte hitta|hittades inte|finns inte|"
    r"ikke (?:fund|funn|find|finn|eksister)|ei (?:löydy|löytyn|ole)|nie (?:znalezion|istnieje|została znaleziona)|"
    r"nenalezen|neexistuje|nebyla nalezena|nenájden|nem (?:található|létezik)|nu (?:a fost găsit|exist)|"
    r"bulunamad|mevcut değil|kaldırıl|tidak (?:ditemukan|ada|tersedia)|không (?:tìm thấy|tồn tại)|ไม่พบ|ไม่มี|"
    r"δεν (?:βρέθηκε|υπάρχει)|не (?:найден|существует|обнаружен|знайден|існує|є намерен|е намерен|постоји)|"
    r"(?:так\w+|больше) (?:\S+ )?нет|לא (?:נמצא|קיי)|غير (?:موجود|متوفر)|لم يتم العثور|یافت نشد|پیدا نشد|وجود ندارد|"
    r"नहीं मिल|পাওয়া যায়নি|খুঁজে পাওয়া|見つかりま|存在しま|ありません|削除され|찾을 수 없|존재하지 않|삭제되|"
    r"不存在|未找到|没有找到|沒有找到|找不到|无法找到|已(?:经)?(?:被)?(?:删除|刪除)|不见了"
)
# The number after a word for a fault, or before a sign or a word for a page or a fault: not "404 Media".
_CODE_404 = (
    r"(?:error|http|code|fehler|erreur|erro|błąd|hiba|fout|fel|feil|virhe|eroare|грешка|помилка|ошибка|hata|chyba|σφάλμα|lỗi|"
    r"错误|錯誤|エラー|خطأ|שגיאה)\W{0,3}(?:404|410)(?!\d)|(?<!\d)(?:404|410)\s*(?:$|[^\w\s]|error|page|not|erreur|fehler|"
    r"ошибк|страниц|页|頁|错|錯|找不到|未找到|ページ|エラー|페이지)|\bnot found\b"
)

# A page that is gone; the narrow one is asked of headings of pages with lists too.
GONE_PAGE = rf"{_CODE_404}|{_both(_PAGE, _GONE)}"
_GONE_SAID = r"nothing (?:was )?found|no longer (?:exists|available)|лишён|您访问的(?:页面|内容|网页)|페이지가 없습니다"
GONE = rf"{_CODE_404}|{_both(f'{_PAGE}|{_TEXT}', _GONE)}|{_GONE_SAID}"

# A list without rows: for each family of languages "no" and what there is none of.
_NONE_OF = (
    (
        r"\bno|there (?:are|is)(?: currently)? no",
        r"posts?|articles?|results?|entries|items?|news|records?|data|stories|topics|threads|announcements?|events|"
        r"releases|publications|documents|content|matches",
    ),
    (
        r"kein(?:e|en)?",
        r"beiträge|artikel|einträge|ergebnisse|nachrichten|meldungen|inhalte|treffer|news|veranstaltungen|dokumente",
    ),
    (r"aucun(?:e)?|pas d['’e]", r"articles?|résultats?|billets?|actualités?|publications?|contenus?|annonces?|news"),
    (
        r"no (?:hay|se (?:han )?encontr\w+|existen)|sin|ning[úu]n[ao]?",
        r"entradas?|art[íi]culos?|resultados?|noticias?|publicaciones|contenidos?|elementos|registros",
    ),
    (
        r"nenhum(?:a)?|não (?:há|foram encontrad\w+|existem)|sem",
        r"posts?|artigos?|resultados?|notícias?|publicaç\w+|conteúdos?|itens|item|registros?",
    ),
    (r"nessun[ao]?|non ci sono|non (?:è|sono) (?:\w+ )?presenti", r"avvis[oi]|articol[oi]|risultat[oi]|notizi[ae]|post|contenut[oi]|elementi?|news"),
    (
        r"geen|(?:momenteel|nog) geen|zijn (?:\w+ )?geen",
        r"berichten|artikelen|resultaten|nieuwsberichten|nieuws|items|publicaties",
    ),
    (r"(?:inga|ingen|inget|ikke noen|ingen)", r"träffar|nyheter|artiklar|inlägg|resultat|träffar|nyheder|artikler|indlæg|innlegg|resultater|poster"),
    (r"\bei", r"uutisia|artikkeleita|tuloksia|julkaisuja|sisältöä"),
    (r"brak|nie (?:ma|znaleziono)(?: jeszcze)?", r"(?:\w+ )?(?:wpisów|artykułów|wyników|wiadomości|aktualności|komunikatów|postów|treści|danych)"),
    (
        r"žádn\w+|nejsou|nebyly nalezeny|nie sú|neboli nájdené|nic",
        r"nalezeno|články|článků|příspěvky|aktuality|záznamy|výsledky|novinky|zprávy|príspevky|správy",
    ),
    (r"nincs(?:enek)?", r"(?:\w+ )?(?:hír|cikk|találat|bejegyzés|tartalom)\w*"),
    (r"nu (?:există|sunt|am găsit|s-au găsit)", r"articole|știri|rezultate|postări|anunțuri"),
    (r"tidak ada|belum ada|tiada", r"artikel|berita|pos|data|hasil|postingan|konten|pengumuman|tulisan"),
    (r"(?:chưa|không) (?:có|tìm thấy)", r"bài viết|tin tức|tin|kết quả|dữ liệu|nội dung|thông báo"),
    (r"ไม่(?:มี|พบ)", r"ข่าว|บทความ|ข้อมูล|รายการ|ผลลัพธ์|ประกาศ"),
    (r"δεν (?:υπάρχουν|βρέθηκαν)", r"άρθρα|νέα|αποτελέσματα|δημοσιεύσεις|ανακοινώσεις|αναρτήσεις"),
    (
        r"\bнет|\bнема(?:є)?|не найдено|отсутствуют|не знайдено|няма",
        r"записей|новостей|статей|материалов|публикаций|результатов|данных|объявлений|новин|записів|матеріалів|"
        r"публікацій|результатів|новини|публикации",
    ),
    (r"אין|לא נמצאו", r"כתבות|תוצאות|פוסטים|חדשות|ידיעות|מאמרים|פריטים"),
    (r"لا (?:توجد|يوجد)|لم يتم العثور على", r"أخبار|مقالات|نتائج|منشورات|مواضيع|بيانات|أي"),
    (r"هیچ|هنوز", r"خبری|مطلبی|نتیجه‌?ای|موردی|نوشته"),
    (r"چیزی|موردی|نتیجه‌?ای", r"یافت نشد|پیدا نشد"),
    (r"कोई", r"समाचार|लेख|परिणाम|खबर|डेटा|पोस्ट"),
    (r"কোন[োও]?", r"খবর|সংবাদ|নিবন্ধ|ফলাফল|ফল|তথ্য|লেখা|পোস্ট"),
    (
        r"暂无|暫無|暂时没有|没有|沒有|无|尚无|尚無|查无|查無|未找到|未查询到|找不到",
        r"数据|內容|内容|信息|资讯|记录|記錄|文章|新闻|新聞|资料|資料|公告|通知|结果|結果|动态|列表",
    ),
)  # fmt: skip
# "Nothing of it" said after the thing.
_OF_NONE = (
    (r"новостей|записей|статей|материалов|публикаций|результатов|новин|записів|матеріалів", r"(?:пока )?(?:нет|немає|не найдено|отсутствуют)"),
    (r"haber|yazı|içerik|kayıt|sonuç|duyuru|gönderi", r"bulunamad|bulunmamakta|yok\b|mevcut değil|eklenmemiş"),
    (r"記事|投稿|データ|新着|お知らせ|ニュース|情報|検索結果|結果", r"ありません|見つかりません|ございません"),
    (r"게시물|게시글|글|기사|자료|데이터|결과|내용|소식", r"없습니다|존재하지 않습니다"),
    (r"beiträge|artikel|einträge|meldungen|nachrichten", r"nicht (?:gefunden|vorhanden)"),
    (r"समाचार|लेख|परिणाम", r"नहीं"),
    (r"раздел|список", r"пуст"),
    (r"موردی|چیزی", r"وجود ندارد"),
    (r"nội dung|chuyên mục", r"đang (?:được )?cập nhật"),
    (r"内容|栏目|信息|資料", r"正在(?:更新|建设|完善|整理)中"),
    (r"ただいま|現在", r"準備中"),
    (r"共|總計|total:?", r"(?<!\d)0 ?(?:条|條|篇|页|頁|results|items|articles)"),
)  # fmt: skip
_NONE_THEN_THING = "|".join(
    [
        rf"(?:{no})(?:\b|(?<=[ก-๛]))\W{{0,3}}(?:\w+\W{{1,3}}){{0,3}}?(?:{what})(?![a-zà-ž]{{3}})"
        for no, what in _NONE_OF[:-1]
    ]
)
_THING_THEN_NONE = "|".join([rf"(?:{what}).{{0,12}}?(?:{no})" for what, no in _OF_NONE])
EMPTY = (
    rf"(?<!\w)(?:{_NONE_THEN_THING})|(?:{_NONE_OF[-1][0]}).{{0,6}}?(?:{_NONE_OF[-1][1]})|{_THING_THEN_NONE}|"
    r"(?:ничего не найдено|нічого не знайдено|nic (?:zde )?nenalezeno|nic nebylo nalezeno)|nothing (?:matched|"
    r"was found|found|to (?:see|show|display)|here yet|has been (?:posted|published))|"
    r"coming soon to this (?:page|section)"
)

# What else than the page's list may be empty: what one buys, compares and keeps.
BASKET = (
    r"\b(?:cart|basket|(?:shopping )?bag|wish ?-?list|compar\w+|favou?rites|warenkorb|einkaufswagen|merkzettel|wunsch(?:liste|zettel)|"
    r"vergleichsliste|panier|favoris|carrito|cesta|carrinho|carrello|winkel(?:wagen|mand)|varukorg|kundvagn|indkøbskurv|handlekurv|"
    r"ostoskori|koszyk\w*|košík\w*|kosár\w*|coş\w*|sepet\w*|keranjang|giỏ hàng)\b|корзин|кошик|количк|购物车|購物車|カート|장바구니|"
    r"عربة|سبد|עגלה"
)

# The end of a list that has rows.
MORE = (
    r"\b(?:more|further|older|newer|weitere\w*|autres?|plus|más|mais|altr[ie]|inne|další|больше|ещё|további|fler|flere|thêm)\b|更多|"
    r"これ以上|더 이상"
)

_DOMAIN = (
    r"\b(?:domain|domein|domän\w*|domena|doména|domen|alan adı|tên miền|dom[íiea]ni\w*|domaine)\b|домен|домейн|域名|網域|网域|ドメイン|"
    r"도메인|โดเมน|النطاق|نطاق|دامنه|דומיין|ডোমেইন|डोमेन"
)
_SOLD = (
    r"for sale|\bbuy\b|expired|\bparked\b|registered|available|make an offer|pending|verkauf|kaufen|registriert|"
    r"à vendre|acheter|réserv|enregistr|expir|en venta|comprar|registrad|disponible|à venda|in vendita|acquist|"
    r"registrat|te koop|geregistreerd|till salu|sprzeda|prodej|eladó|satılık|продаж|прода[её]т|купить|"
    r"зарегистрир|припаркован|не прилинкован|出售|转让|轉讓|过期|到期|购买|停放|販売|売(?:出|却)|期限|取得され|판매|만료|등록|구매|売り出|購入|bán\b|\bmua\b|ขาย|للبيع|شراء|فروش|خرید|למכירה|বিক্রি|কিনুন|बिकाऊ|खरीदें|dijual|\bbeli\b|\bköp"
)
_PARKED_SAID = (
    r"sponsored listings|sedoparking|parkingcrew|bodis\.com|"
    r"afternic|hugedomains|welcome to nginx|apache2? (?:ubuntu |debian )?default page|it works!|iis windows|"
    r"index of /|(?:coming|launching) soon|under construction|"
    r"(?:account|website|site|hosting)\b.{0,40}\b(?:suspended|expired|disabled|not (?:yet )?(?:configured|published))|"
    r"(?:网站|站点|主机)(?:.{0,8})(?:建设中|未备案|已关闭|到期|暂停|维护中)|准备中です|工事中|サイト(?:は|が).{0,10}(?:停止|準備中)"
)
PARKED = rf"{_both(_DOMAIN, _SOLD)}|{_PARKED_SAID}"
# The links of a parked domain; an article may have some too.
RELATED = r"related searches|ähnliche such|recherches associées|búsquedas relacionadas|ricerche correlate|関連検索|相关搜索"

_BOT = (
    r"\b(?:ro)?bots?\b|\bhuman\b|mensch|humain|humano|umano|человек|робот|ロボット|人間|로봇|사람|机器人|機器人|真人|robô|"
    r"automated|automatis|روبوت|ربات|রোবট|रोबोट|אנושי|רובוט|captcha"
)
_PROVE = (
    r"\bnot\b|confirm|verify|verif|vérif|prove|made us think|unusual|traffic|bestätig|überprüf|kein\b|demuestr|comprueb|comprov|подтверд|"
    r"провер|確認|验证|驗證|확인|아님|doğrula|olmad|conferma|bewijs|bevestig|potwierd|ověř|تحقق|تأكيد|אימות|xác (?:minh|nhận)|ยืนยัน|تأكيد|تایید|নিশ্চিত|पुष्टि|pastikan|bukan|bekräfta|inte\b"
)
_REGION = (
    r"\byour (?:region|country|location|area)|\b(?:deinem|ihrem|deiner|ihrer) (?:land|region)|\bvotre (?:pays|région)|"
    r"\b(?:su|tu) (?:país|región|ubicación)|\b(?:seu|sua) (?:país|região)|\b(?:tuo|suo) paese|\b(?:uw|jouw) land\b|"
    r"\bвашей стране|\bвашем регионе|(?:您|你)(?:所在)?的?(?:国家|國家|地区|地區)|お住まいの(?:国|地域)|해당 (?:국가|지역)"
)
_BARRED = (
    r"\b(?:not|no longer) (?:\w+ ){0,2}available|unavailable|\b(?:blocked|restricted|denied|cannot be)\b|nicht verfügbar|indisponible|"
    r"(?:no|não|non) (?:está |è )?dispon[íi]b|niet beschikbaar|недоступ|不可用|无法(?:访问|使用|观看)|無法|不提供|利用(?:できません|いただけません)|"
    r"(?:이용|접근)할 수 없"
)
BLOCKED = (
    rf"{_both(_BOT, _PROVE)}|{_both(_REGION, _BARRED)}|just a moment\b|checking your browser|attention required|cf-(?:chl|browser-verification|error)|"
    r"challenge-platform|_cf_chl|ddos[- ]guard|ddos protection by|incapsula incident|request unsuccessful|"
    r"px-captcha|perimeterx|datadome|captcha-delivery|akamai.{0,40}reference|pardon our interruption|"
    r"access (?:to this page )?(?:has been |is )?(?:denied|blocked|restricted)|(?:request|ip|you) (?:\w+ ){0,3}(?:been )?blocked|"
    r"too many requests|rate[- ]?limit|enable javascript and cookies to continue|security (?:check|verification)|"
    r"web application firewall|sicherheits(?:über)?prüfung|vérification de sécurité|comprobación de seguridad|"
    r"waiting room|you are (?:now )?in (?:the )?(?:line|queue)\b|\bqueue-it\b|正在排队|排队中|"
    r"verificação de segurança|verifica di sicurezza|проверка (?:безопасности|браузера)|проверяем ваш браузер|güvenlik kontrolü|"
    r"kontrola bezpieczeństwa|bezpečnostní kontrola|セキュリティ(?:チェック|確認)|보안 (?:확인|검사)|التحقق من الأمان|"
    r"安全(?:验证|驗證|检查|校验)|访问验证|人机|人機|滑动验证|请?完成.{0,4}验证|请?输入.{0,3}验证码|(?:访问|操作|请求|訪問)(?:过于|過於|太)频繁|"
    r"访问(?:被|受)(?:拒绝|限|阻)|您的访问|异常流量|拦截|攻击|アクセスが(?:拒否|制限|集中)|접근이 (?:거부|차단)|доступ (?:ограничен|запрещ|заблок)|"
    r"acceso (?:denegado|restringido|bloqueado)|acesso (?:negado|bloqueado)|zugriff (?:verweigert|gesperrt)|accès (?:refusé|interdit|bloqué)|"
    r"accesso negato|toegang geweigerd|odmowa dostępu|přístup odepřen|erişim engellendi|проверк\w+ (?:вашего )?браузера|"
    r"接続の?(?:安全性|セキュリティ)を確認|滑块验证|拖动.{0,8}滑块|(?:拒绝|拒絕|禁止)(?:访问|訪問)|"
    r"unavailable (?:for legal reasons|in your (?:country|region))|not available in your (?:country|region)|"
    r"access cannot be granted"
)
_SITE = (
    r"(?:site|website|web ?page|server|system|service|platform|portal|seite|webseite|website|sitio|página|serviço|servicio|"
    r"сайт|сервис|сервер|портал|系统|系統|网站|網站|本站|站点|服务器?|伺服器|平台|サイト|サーバー?|サービス|システム|사이트|서버|시스템|서비스)"
)
_AT_WORK = (
    r"(?:under|down for|offline for|closed for|undergoing|in) (?:\w+ )?maintenance|temporarily (?:unavailable|down|offline)|"
    r"(?:wegen|in) wartung|en (?:cours de )?maintenance|en mantenimiento|em manutenção|in manutenzione|"
    r"на (?:техническ\w+ )?обслуживании|временно (?:недоступ|не работает)|维护中|維護中|正在(?:维护|升级)|升级中|暂停(?:服务|访问)|"
    r"(?:暂时)?不可用|メンテナンス中|점검 ?중"
)
_OUT_OF_ORDER = (
    r"internal server error|bad gateway|gateway time-?out|service (?:is )?(?:temporarily )?unavailable|"
    r"(?:error establishing|could not (?:make|establish)|no) a? ?database connection|database (?:connection )?error|"
    r"interner serverfehler|erreur interne du serveur|error interno del servidor|erro interno do servidor|errore interno del server|"
    r"внутренняя ошибка сервера|服务器(?:内部)?(?:错误|异常|繁忙)|系统(?:错误|异常|繁忙)|数据库(?:连接)?(?:错误|失败|异常)|"
    r"サーバー?(?:内部)?エラー|서버 오류"
)
# A site that is broken or being worked on; the narrow one is asked of headings of pages with lists too.
BROKEN_TITLE = rf"^\W*(?:(?:5\d\d|error|http)\W{{0,4}})*(?:{_OUT_OF_ORDER}|{_AT_WORK}|(?:the |our |this )?{_SITE}.{{0,12}}?(?:{_AT_WORK}))"
BROKEN = (
    rf"{_OUT_OF_ORDER}|{_both(_SITE, _AT_WORK)}|^\W*(?:{_AT_WORK}|maintenance\b)|scheduled maintenance|"
    r"(?:fatal|parse) error\W{1,3}(?:uncaught|allowed memory|maximum execution|call to|syntax)|^\W*we['’]ll be (?:right )?back\b|"
    r"stack trace:|traceback \(most recent call last\)|unhandled exception"
)
# Of a title or a main heading, which say it of the whole page.
PARKED_TITLE = (
    r"\b(?:this|buy (?:this|the)|domain name)\b.{0,30}\bdomain\b|\bdomain\b.{0,40}\b(?:is |may be )?(?:for sale|parked)|"
    r"域名(?:出售|转让|正在出售|已过期|停放)|^account suspended|^index of /"
)
# What a heading says, and nothing else, on a page without a list.
UNDER_WORK = (
    r"站点创建成功|没有找到站点|^\W*iis ?[\d.]*\W*$|"
    r"^\W*(?:(?:(?:this|our|the) )?(?:web)?site (?:is )?)?(?:(?:under|in|down for) (?:construction|maintenance)|"
    r"maintenance mode)\W*$|^\W*(?:site|sitio|sito|p[áa]gina|strona|сайт)(?: web)? (?:en|em|in|w|на) (?:construction|"
    r"maintenance|construcción|mantenimiento|construção|manutenção|costruzione|manutenzione|budowie|реконструкции)\W*$|"
    r"^\W*wartungs(?:modus|arbeiten)\W*$|^\W*(?:网站|網站|站点|系统)?(?:正在)?(?:建设|建設|维护|維護|升级)中\W*$|"
    r"^\W*メンテナンス中\W*$"
)
BLOCKED_TITLE = (
    r"^\W*(?:just a moment\b|attention required|ddos-guard|access (?:to this page )?(?:has been |is )?denied|"
    r"are you a robot|403 forbidden|(?:请完成)?安全验证|人机验证|访问(?:验证|过于频繁))"
)
# What a server's own error page has as its title or heading.
REFUSED = r"^\W*(?:error\W{0,3})?(?:401|403|405|406|418|429|451|1020)\b|\bforbidden\b|unauthorized"
CAPTCHA = (
    r"g-recaptcha|h-captcha|hcaptcha|cf-turnstile|geetest|captcha|nc_wrapper|slide-?verify|acw_sc|"
    r"__jsl_clearance|arg1\s*=\s*['\"][0-9a-f]{40}|yundun|wappass|safeline|aws-?waf"
)

PRIVACY = (
    r"cookies?\b|クッキー|쿠키|\bкуки\b|before you continue|\bprivacy\b|privatsphäre|datenschutz|einwilligung|vie privée|"
    r"données personnelles|privacidad|privacidade|riservatezza|integritet|prywatno|soukrom|adatvéd|gizlili|privasi|"
    r"quyền riêng tư|ความเป็นส่วนตัว|απορρήτου|конфиденциальност|персональных данных|приватн|פרטיות|الخصوصية|ملفات تعريف|"
    r"プライバシー|個人情報|개인정보|隐私|隱私|隱私權|গোপনীয়তা|কুকি|गोपनीयता|कुकी|حریم خصوصی|کوکی|\bkuki\b|\bkakor\b|informasjonskapsler|evästeet|personal data|consent(?:ement)?\b|gdpr|\brgpd\b|\bdsgvo\b"
)
AGE = (
    r"(?:over|least|under|older than|über|mindestens|plus de|mayor de|maior(?:es)? de|di età|older|aged?|старше|исполнилось|满|滿|未满|未滿)"
    r"\W{0,4}(?:the age of )?(?:18|21)(?!\d)|(?<!\d)(?:18|21)\W{0,3}(?:years|jahre|ans|años|anos|anni|лет|歳|岁|歲|세|\+)|年齢確認|确认年龄|age verification"
)
ACCEPT = (
    r"\b(?:accept|agree|allow|got it|i understand|consent|enter|continue|save choices|akzeptier|zustimm|einverstanden|"
    r"accepter|j['’]accepte|tout accepter|continuer|acept|acced|accett|aceit|concord|akkoord|accepteer|toestaan|godkänn|"
    r"accepter|godta|hyväksy|akceptuj|zgadzam|przejdź|souhlas|přij|elfogad|acord|kabul|setuju|terima|đồng ý|chấp nhận|"
    r"αποδοχή|αποδέχομαι|συμφων|приня|соглас|прийня|погодж|приемам)|ยอมรับ|אישור|מסכים|أوافق|موافق|قبول|پذیرفتن|موافقم|সম্মত|स्वीकार|सहमत|同意|許可する|承諾|동의|接受|はい|進入|进入"
)
CONSENT_URL = r"(?:^|[/.])(?:consent|privacywall|cookiewall|gdpr|collectconsent|privacy-?gate|age-?(?:gate|check|verification))\b"

LOGIN = (
    r"\b(?:log|sign) ?in\b|\blogin\b|members? only|authenticat|登\s?录|登\s?入|登錄|身份认证|ログイン|サインイン|로그인|"
    r"anmeld|einlogg|connexion|connect(?:er|ez)|identifi|iniciar sesi|inicia sesi|acces[oa]\b|acesse|acesso|entrar\b|"
    r"войти|\bвход\b|авториз|увійти|вхід|accedi|inlogg|logga in|logg inn|log ind|kirjaudu|zaloguj|logowanie|přihlá|prihlás|bejelentkez|autentific|"
    r"giriş|masuk|đăng nhập|เข้าสู่ระบบ|σύνδεση|התחבר|כניסה|(?:تسجيل )?(?:ال)?دخول|ورود|লগ ?ইন|लॉग ?इन|प्रवेश"
)
LOGIN_URL = r"[/?.](?:log|sign)-?in\b|/(?:auth|sso|cas|oauth|passport|account/login|users/sign_in|wp-login)\b"
# The address of a page that is there to log in or to sign up, whatever box of news stands beside the form.
ACCOUNT_URL = (
    r"^[^?#]*/(?:(?:log|sign)[-_]?(?:in|on|up)|auth|register|registration|wp-login)(?:\.\w{2,5})?/?(?:[?#]|$)"
)

SCRIPT_NEEDED = (
    r"(?:enable|requires?|need|turn on|activ\w+|aktivier\w+|habilit\w+|attiva\w*|ligar) (?:to enable |sie )?(?:your )?javascript|"
    r"javascript (?:is |to be |muss |doit |debe )?(?:disabled|required|enabled|needed|aktiviert|être activé|estar)|"
    r"without javascript|(?:启用|开启|啟用|打开) ?javascript|javascript ?を有効|включите javascript|javascript를 활성화"
)
LOADING = (
    r"^\W*(?:loading|please wait|加载中|正在加载|載入中|数据加载中|読み込み中|ロード中|로딩|불러오는 중|загрузка|wird geladen|chargement|cargando|"
    r"carregando|caricamento|laden|laddar|ładowanie|načítání|yükleniyor|memuat|đang tải|กำลังโหลด|φόρτωση|טוען|جار[يٍ]? التحميل)"
)
# Script that makes the browser come again with a cookie.
COMES_AGAIN = (
    r"document\.cookie\s*=[\s\S]{0,8000}?location(?:\.(?:reload|replace|assign)\(|(?:\.href)?\s*=[^=])"
)
# Script that asks for data.
REQUESTS = (
    r"\bfetch\(|xmlhttprequest|\$\.(?:get|post|ajax|getjson)\b|jquery\.(?:get|post|ajax|getjson)\b|\baxios\b|new vue\b|createapp\(|"
    r"reactdom|\.load\(\s*['\"]/|insertadjacenthtml|layui|laytpl|\.render\("
)

# What every match of a long sign has a part of. It is looked for first: nearly all texts have none of it.
_PARTS = {
    GONE_PAGE: f"{_CODE_404}|{_PAGE}",
    GONE: f"{_CODE_404}|{_GONE}|{_GONE_SAID}",
    PARKED: f"{_DOMAIN}|{_PARKED_SAID}",
}
