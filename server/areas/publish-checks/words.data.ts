import type { Locale } from '@officium/contract/common';

const list = (words: string): string[] => words.split('|').map((word) => word.normalize('NFC'));

/** Link texts that do not describe the target, normalised like `wordsOf`. */
export const EMPTY_LINK_WORDS: ReadonlyMap<Locale, ReadonlySet<string>> = new Map<Locale, ReadonlySet<string>>(
  Object.entries({
    en: 'click here|click|here|read more|read on|more|learn more|find out more|see more|view more|more information|more info|details|more details|link|this link|this|this page|continue|download|start|see here|follow this link|click this link|tap here|website|page',
    ar: 'اضغط هنا|انقر هنا|هنا|اقرأ المزيد|المزيد|اعرف المزيد|لمزيد من المعلومات|مزيد من المعلومات|رابط|هذا الرابط|التفاصيل|تابع|تحميل|للمزيد',
    de: 'hier klicken|klicken sie hier|klick hier|klicke hier|hier|weiterlesen|mehr lesen|mehr|mehr erfahren|mehr dazu|mehr informationen|weitere informationen|weiter|link|dieser link|details|download|diese seite|lesen sie mehr',
    es: 'haga clic aquí|haz clic aquí|clic aquí|pulse aquí|pincha aquí|aquí|leer más|lee más|más|saber más|más información|ver más|enlace|este enlace|detalles|seguir|continuar|descargar',
    'es-419':
      'haga clic aquí|haz clic aquí|clic aquí|da clic aquí|dé clic aquí|aquí|leer más|lee más|más|saber más|más información|ver más|enlace|este enlace|liga|detalles|seguir|continuar|descargar',
    fr: 'cliquez ici|cliquer ici|clique ici|ici|lire la suite|lire plus|en savoir plus|plus|plus d informations|plus d infos|voir plus|suite|la suite|lien|ce lien|détails|continuer|télécharger|cette page',
    'fr-CA':
      'cliquez ici|cliquer ici|clique ici|ici|lire la suite|lire plus|en savoir plus|en savoir davantage|plus|plus d informations|plus d information|plus d infos|voir plus|suite|la suite|lien|ce lien|détails|continuer|télécharger|cette page',
    id: 'klik di sini|klik disini|di sini|disini|baca selengkapnya|selengkapnya|baca lebih lanjut|lebih lanjut|pelajari lebih lanjut|info lebih lanjut|informasi lebih lanjut|tautan|tautan ini|detail|lanjutkan|unduh|lihat lainnya',
    it: 'clicca qui|cliccare qui|clicchi qui|fai clic qui|qui|leggi di più|leggi tutto|continua a leggere|di più|altro|scopri di più|maggiori informazioni|più informazioni|link|questo link|dettagli|continua|scarica',
    ja: 'こちら|ここ|ここをクリック|こちらをクリック|クリック|詳細|詳しくはこちら|詳細はこちら|続きを読む|もっと読む|もっと見る|さらに詳しく|リンク|このリンク|次へ|ダウンロード',
    ko: '여기|여기를 클릭|여기를 클릭하세요|여기 클릭|클릭|더 보기|더보기|더 읽기|자세히|자세히 보기|더 알아보기|자세한 내용|링크|이 링크|계속|다운로드',
    pl: 'kliknij tutaj|kliknij tu|tutaj|tu|czytaj więcej|czytaj dalej|więcej|dowiedz się więcej|więcej informacji|zobacz więcej|link|ten link|szczegóły|dalej|pobierz',
    pt: 'clique aqui|aqui|ler mais|leia mais|mais|saber mais|saiba mais|mais informações|ver mais|ligação|esta ligação|hiperligação|link|este link|detalhes|continuar|descarregar|transferir',
    'pt-BR':
      'clique aqui|aqui|leia mais|ler mais|mais|saiba mais|saber mais|mais informações|ver mais|veja mais|link|este link|detalhes|continuar|baixar|continue lendo',
    'sr-Cyrl':
      'кликните овде|кликни овде|овде|прочитајте више|прочитај више|више|сазнајте више|сазнај више|више информација|опширније|детаљније|линк|овај линк|веза|детаљи|наставите|преузмите',
    vi: 'nhấn vào đây|bấm vào đây|nhấp vào đây|click vào đây|tại đây|ở đây|đây|đọc thêm|xem thêm|thêm|tìm hiểu thêm|thông tin thêm|chi tiết|xem chi tiết|liên kết|liên kết này|tiếp tục|tải xuống|tải về',
  } satisfies Record<Locale, string>).map(([locale, words]) => [locale as Locale, new Set(list(words))]), // the keys above
);

/** Stems that tell a recording can be read as well. */
export const CAPTION_WORDS: ReadonlyMap<Locale, readonly string[]> = new Map<Locale, readonly string[]>(
  Object.entries({
    en: 'caption|subtitle|transcript|sign language',
    ar: 'ترجمة مكتوبة|تسميات توضيحية|نص مكتوب|تفريغ|مترجم|لغة الإشارة',
    de: 'untertitel|transkript|abschrift|mitschrift|gebärdensprache',
    es: 'subtítul|subtitul|transcripción|lengua de signos|lengua de señas',
    'es-419': 'subtítul|subtitul|transcripción|lengua de señas',
    fr: 'sous-titr|transcription|langue des signes',
    'fr-CA': 'sous-titr|transcription|langue des signes',
    id: 'takarir|teks film|subtitle|transkrip|bahasa isyarat',
    it: 'sottotitol|trascrizione|lingua dei segni',
    ja: '字幕|キャプション|書き起こし|文字起こし|手話',
    ko: '자막|대본|녹취|수어|수화',
    pl: 'napisy|napisami|transkrypc|język migowy|języka migowego',
    pt: 'legenda|transcrição|língua gestual',
    'pt-BR': 'legenda|transcrição|libras|língua de sinais',
    'sr-Cyrl': 'титл|транскрипт|превод|знаковни језик',
    vi: 'phụ đề|bản chép|bản ghi|ngôn ngữ ký hiệu',
  } satisfies Record<Locale, string>).map(([locale, words]) => [locale as Locale, list(words)]), // the keys above
);
