import { LOCALES, type Locale } from '@officium/contract/common';
import { isSameLanguage } from '#server/translation/translation.ts';

/** A language pair in Apertium's codes: ISO 639-3, plus a region if a dictionary has one. */
export type Pair = { source: string; target: string };

type Codes = { source: string[]; target: string[] };
const both = (...codes: string[]): Codes => ({ source: codes, target: codes });

/**
 * Apertium's codes for our languages, best first. Its dictionaries read Serbo-Croatian in Latin script (`toApertium`),
 * but none writes Serbian in Cyrillic.
 */
const CODES: Record<Locale, Codes> = {
  ar: both('ara', 'arb'),
  'pt-BR': { source: ['por'], target: ['por_BR', 'por'] },
  en: both('eng'),
  fr: both('fra'),
  'fr-CA': both('fra'),
  de: both('deu'),
  id: both('ind'),
  it: both('ita'),
  ja: both('jpn'),
  ko: both('kor'),
  'es-419': both('spa'),
  pl: both('pol'),
  pt: both('por'),
  'sr-Cyrl': { source: ['hbs', 'srp'], target: [] },
  es: both('spa'),
  vi: both('vie'),
};

/** Excludes pairs that are packaged but unusable. */
const isUsable = ({ source, target }: Pair) => !(source === 'eng' && target.startsWith('hbs'));

/** Finds a route between two languages: a direct pair, else two pairs through a third language. */
export function routeOf(pairs: readonly Pair[], from: Locale, to: Locale): Pair[] | undefined {
  if (isSameLanguage(from, to)) return undefined;
  const usable = pairs.filter(isUsable);
  const find = (source: string, target: string) =>
    usable.find((pair) => pair.source === source && pair.target === target);
  const combinations = CODES[from].source.flatMap((source) => CODES[to].target.map((target) => ({ source, target })));
  for (const { source, target } of combinations) {
    const pair = find(source, target);
    if (pair) return [pair];
  }
  for (const { source, target } of combinations)
    for (const first of usable) {
      const second = first.source === source && first.target !== target ? find(first.target, target) : undefined;
      if (second) return [first, second];
    }
  return undefined;
}

/** Lists our languages from which the pairs lead to a target. */
export function sourcesFor(pairs: readonly Pair[], target: Locale): Locale[] {
  return LOCALES.filter((source) => routeOf(pairs, source, target));
}

const LATIN: Record<string, string> = Object.fromEntries(
  'аa бb вv гg дd ђđ еe жž зz иi јj кk лl њnj мm нn љlj оo пp рr сs тt ћć уu фf хh цc чč џdž шš'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** Transliterates Serbian to Latin script for Apertium; returns other texts unchanged. */
export function toApertium(text: string, from: Locale): string {
  if (from !== 'sr-Cyrl') return text;
  return text.replace(/[\u0400-\u045F]/g, (letter) => {
    const latin = LATIN[letter.toLowerCase()];
    if (latin === undefined || letter === letter.toLowerCase()) return latin ?? letter;
    return latin.charAt(0).toUpperCase() + latin.slice(1);
  });
}
