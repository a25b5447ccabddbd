/**
 * Domains where anyone can register an address: the large providers of countries that speak the supported languages.
 */
export const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com icloud.com me.com ' +
    'mac.com proton.me protonmail.com pm.me tutanota.com tuta.com zoho.com zohomail.com mail.com gmx.com gmx.net gmx.de ' +
    'gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org fastmail.com hey.com yandex.com yandex.ru mail.ru ' +
    'inbox.ru list.ru bk.ru rambler.ru orange.fr wanadoo.fr free.fr laposte.net sfr.fr hotmail.fr yahoo.fr outlook.fr ' +
    'hotmail.co.uk live.co.uk yahoo.co.uk btinternet.com libero.it virgilio.it tiscali.it alice.it hotmail.it yahoo.it ' +
    'hotmail.es yahoo.es outlook.es telefonica.net yahoo.com.br hotmail.com.br outlook.com.br uol.com.br bol.com.br ' +
    'terra.com.br ig.com.br sapo.pt yahoo.com.mx prodigy.net.mx yahoo.com.ar wp.pl o2.pl onet.pl interia.pl gazeta.pl ' +
    'yahoo.co.jp docomo.ne.jp ezweb.ne.jp softbank.ne.jp naver.com hanmail.net daum.net nate.com kakao.com qq.com ' +
    '163.com 126.com sina.com yahoo.co.id yahoo.com.vn videotron.ca bell.net rogers.com shaw.ca comcast.net verizon.net ' +
    'att.net sbcglobal.net duck.com mozmail.com mailinator.com guerrillamail.com yopmail.com temp-mail.org'
  ).split(' '),
);
