import { createHash } from 'node:crypto';

const PEOPLE = ['amara.diallo', 'ines.duarte', 'li.wei', 'maya.okafor', 'tomas.novak', 'yuki.tanaka'];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** A time of a place, without a zone. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\d(?=T\d\d:\d\d$)/;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const HOST = /(https?:\/\/)?(?:localhost|127\.0\.0\.1)(?:(?::|%3A)\d+)?/g;
const ADDRESS = /^(?:127\.0\.0\.1|::1)$/;
/** Names that test factories generate. */
const COUNTED = /\b(Person|Cohort|Community|Course) \d+\b/g;
/** Secrets and random slug endings: long, without spaces, mixing letters and digits. */
const RANDOM = /(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]{16,}/g;
const FIRST_TIME = Date.UTC(2026, 2, 2, 9);
const STEP_MS = 45 * 60_000;

/** A copy with placeholder ids, times and addresses, equal for every test run. Equal values stay equal. */
export function stableCopy<T>(value: T): T {
  const texts = textsIn(value);
  const times = [...new Set(texts.flatMap((text) => text.match(TIME) ?? []))].toSorted();
  const ids = new Map<string, string>();
  const people = new Map<string, string>();
  const names = new Map<string, string>();
  const named = (known: Map<string, string>, key: string, make: (nth: number) => string) => {
    const name = known.get(key) ?? make(known.size);
    known.set(key, name);
    return name;
  };
  const stable = (text: string): string => {
    if (DATE.test(text)) return '2026-03-02';
    if (LOCAL_TIME.test(text)) return text.replace(LOCAL_TIME, '2026-03-02');
    if (ADDRESS.test(text)) return '203.0.113.7';
    if (text === 'lightMyRequest') return 'Mozilla/5.0';
    return text
      .replace(HOST, (_, scheme?: string) => `${scheme ? 'https://' : ''}learn.example.gov`)
      .replace(TIME, (time) => new Date(FIRST_TIME + times.indexOf(time) * STEP_MS).toISOString())
      .replace(UUID, (id) =>
        named(ids, id.toLowerCase(), (nth) => `0195542b-1c40-7a00-8000-${String(nth + 1).padStart(12, '0')}`),
      )
      .replace(EMAIL, (email) => named(people, email, (nth) => `${PEOPLE[nth] ?? `person${nth + 1}`}@example.gov`))
      .replace(COUNTED, (name, kind: string) => named(names, name, (nth) => nameOf(kind, nth)))
      .replace(RANDOM, (word) =>
        /^0195542b-|^\d{4}-\d\d-\d\dT/.test(word) ? word : named(ids, word, (nth) => randomLike(word, nth)),
      );
  };
  return mapTexts(value, stable) as T; // same shape
}

function nameOf(kind: string, nth: number): string {
  const person = kind === 'Person' ? PEOPLE[nth] : undefined;
  return (
    person?.replace(/(?:^|\.)(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim() ?? `${kind} ${nth + 1}`
  );
}

/** For slugs the first word and a number; otherwise random letters and digits in the same positions. */
function randomLike(word: string, nth: number): string {
  const [, first] = /^([a-z]{3,})-[a-z0-9-]+$/.exec(word) ?? [];
  if (first !== undefined) return `${first}-${nth + 1}`;
  const bytes = createHash('sha512').update(`example ${nth}`).digest();
  const pick = (letters: string, at: number) => letters[(bytes[at % bytes.length] ?? 0) % letters.length] ?? '';
  const isHex = /^[0-9a-f]+$/.test(word);
  return Array.from(word, (letter, at) => {
    if (isHex) return pick('0123456789abcdef', at);
    if (/\d/.test(letter)) return pick('0123456789', at);
    if (/[a-z]/.test(letter)) return pick('abcdefghijklmnopqrstuvwxyz', at);
    return /[A-Z]/.test(letter) ? pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ', at) : letter;
  }).join('');
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [change(key), mapTexts(inner, change)]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** Scores how much an example shows: more fields with values score higher, long or odd texts lower. */
export function scoreOf(value: unknown): number {
  const fields = new Set<string>();
  walk(value, '', fields);
  const odd = textsIn(value).filter((text) => /[<>\\]|\p{C}|(.)\1{5}/u.test(text)).length;
  return fields.size * 40 - JSON.stringify(value).length / 4 - odd * 100;
}

function walk(value: unknown, path: string, fields: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`, fields);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`, fields);
  else if (value !== null && value !== '') fields.add(path);
}
