import { LOCALES, type Locale } from '@officium/contract/common';

/**
 * Words that phrase a question rather than name its subject, in addition to the stop words of the text search. They
 * have no weight.
 */
const ASKING: Record<string, string> = {
  ar: 'ما ماذا كيف هل لماذا متى أين من أي يمكن يمكنني أستطيع يجب ينبغي أريد اشرح أخبرني يعني الأفضل أفضل طريقة شيء أحد عندما لدي',
  de: 'wie was warum wieso wann wo wer welche welcher welches kann kannst darf soll sollte muss müssen möchte will gibt geht tun mache machen bitte erklären erkläre bedeutet heißt gut besser beste jemand etwas weg lektion brauche eigentlich denn ob sinnvoll',
  en: 'explain tell describe mean means please lesson good better best way ways thing things something someone somebody anyone anything need want know should would could can may must help get give make use really actually still ever happen happens happened say says think kind sort lot many much ok okay fine right wrong possible just even instead long people person',
  es: 'cómo qué cuál cuáles por cuándo dónde quién puedo puede debo debe debería hay hace hacer explica explícame significa quiero necesito mejor buena bueno manera forma alguien algo cosa lección favor sirve',
  fr: 'comment que quoi quel quelle quels quelles pourquoi quand où qui puis peut dois doit faut faire explique expliquer signifie veut dire veux besoin mieux meilleur bonne bon manière façon quelqu quelque chose leçon combien est-ce cela ça',
  id: 'apa bagaimana mengapa kenapa kapan dimana siapa bisa dapat harus perlu ingin jelaskan artinya cara baik terbaik sebaiknya saya seseorang sesuatu',
  it: 'come cosa quale quali perché quando dove chi posso può devo deve dovrei fare spiega significa voglio bisogno meglio migliore buon buona modo qualcuno qualcosa lezione',
  ja: '何 方法 教え 説明 必要 場合 人 私 良い 一番 レッスン どう どの なぜ いつ 誰 意味',
  ko: '무엇 어떻게 어떤 왜 언제 어디 누가 누구 방법 설명 필요 좋은 가장 해야 하나요 할까요 무슨 뜻',
  pl: 'jak co dlaczego kiedy gdzie kto który która które jaki jaka jakie czy mogę można powinien powinienem trzeba należy zrobić wyjaśnij znaczy chcę dobrze lepiej najlepiej sposób ktoś coś lekcja',
  pt: 'como que qual quais por quando onde quem posso pode devo deve deveria há fazer explique significa quero preciso melhor boa bom maneira forma alguém algo coisa lição favor serve',
  sr: 'како шта који која које зашто када где ко да ли могу може треба морам објасни значи желим боље најбоље начин неко нешто лекција',
  vi: 'gì nào như thế sao tại khi đâu ai có thể phải nên cần muốn giải thích nghĩa là cách tốt nhất tôi người bài',
};

/** A question with only these words is about the whole lesson; its opening passages answer it. */
const WHOLE: Record<string, string> = {
  ar: 'درس الدرس ملخص لخص خلاصة موضوع فكرة الفكرة الرئيسية يتناول هذا عن',
  de: 'lektion thema themen überblick zusammenfassung zusammenfassen inhalt geht lernt lerne lernen handelt wichtigste kern punkte hauptpunkte',
  en: 'lesson course summarise summarize summary overview main key point points idea ideas topic about cover covers teach teaches learn content gist',
  es: 'lección tema resumen resumir resume idea ideas principal principales trata aprende aprendo contenido puntos',
  fr: 'leçon sujet thème résumé résumer résume idée idées principale principales parle apprend contenu points essentiel',
  id: 'pelajaran topik ringkasan rangkum inti isi tentang utama',
  it: 'lezione tema argomento riassunto riassumere riassumi idea idee principale principali parla contenuto punti',
  ja: 'レッスン 要点 要約 概要 内容 主題 テーマ',
  ko: '수업 강의 요약 요점 주제 내용 핵심',
  pl: 'lekcja lekcji temat streszczenie streść podsumuj podsumowanie główna główne myśl treść chodzi uczy',
  pt: 'lição aula tema resumo resumir resuma ideia ideias principal principais trata aprende aprendo conteúdo pontos',
  sr: 'лекција лекције тема резиме сажетак главна главне идеја садржај говори учи',
  vi: 'bài học tóm tắt chủ đề nội dung chính ý về',
};

const split = (words: string | undefined): ReadonlySet<string> => new Set((words ?? '').split(' ').filter(Boolean));
const SETS = new Map(
  LOCALES.map((locale) => {
    const language = locale.split('-')[0] ?? locale;
    return [locale, { asking: split(ASKING[language]), whole: split(WHOLE[language]) }];
  }),
);

const MAX_WORDS = 40;

/** The distinct words of a question, in order, in lower case. */
export function wordsOf(question: string, locale: Locale): string[] {
  const words = new Set<string>();
  for (const { segment, isWordLike } of new Intl.Segmenter(locale, { granularity: 'word' }).segment(question))
    if (isWordLike && words.size < MAX_WORDS) words.add(segment.toLocaleLowerCase(locale));
  return [...words];
}

export type ParsedQuestion = {
  /** The words that name the subject. */
  subject: string[];
  /** True for a question about the lesson as a whole. */
  isAboutWhole: boolean;
};

/** Parses a question, given its words without stop words. */
export function readQuestion(words: string[], locale: Locale): ParsedQuestion {
  const { asking, whole } = SETS.get(locale)!; // SETS has every locale
  const subject = words.filter((word) => !asking.has(word));
  const isAboutWhole = words.some((word) => whole.has(word)) && subject.every((word) => whole.has(word));
  return { subject, isAboutWhole };
}
