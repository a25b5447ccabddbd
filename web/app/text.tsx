import { createContext, useContext, type ReactNode } from 'react';
import { IntlMessageFormat, type FormatXMLElementFn } from 'intl-messageformat';
import { dirOf, type Direction, type Locale } from '@officium/i18n/locales';
import type { MessageKey } from './message-keys.ts';
import type { Messages } from './messages.ts';

type Value = string | number | boolean | Date | null | undefined;
type RichValue = Value | ReactNode | FormatXMLElementFn<ReactNode, ReactNode>;
type Moment = Date | string | number;

export type Text = {
  locale: Locale;
  dir: Direction;
  /** The visitor's, as their browser reported it; UTC before that. */
  timeZone: string;
  /** The text of a key, with its arguments filled in. */
  t: (key: MessageKey, values?: Record<string, Value>) => string;
  /** The same with elements: `{name}` may be one, `<link>…</link>` takes a function of its children. */
  rich: (key: MessageKey, values: Record<string, RichValue>) => ReactNode;
  /** For keys made at run time, such as `errors.<code>`: undefined when there is no such text. */
  maybe: (key: string, values?: Record<string, Value>) => string | undefined;
  /** A date, of medium length unless told. */
  date: (value: Moment, options?: Intl.DateTimeFormatOptions) => string;
  number: (value: number, options?: Intl.NumberFormatOptions) => string;
  /** `-3, 'hour'` as "3 hours ago". */
  relative: (value: number, unit: Intl.RelativeTimeFormatUnit) => string;
  /** "Ada, Bo and Chen". */
  list: (items: readonly string[], options?: Intl.ListFormatOptions) => string;
};

// react-intl's provider would find each formatter by serialising the whole message and weighs 12 kB more than the
// engine below it, intl-messageformat, which is all that is used here. Everything in a Text is the same for all
// visitors of one locale and zone, and costly to make: kept, but not without end, for the zone comes from a cookie.
const texts = new Map<string, { text: Text; messages: Messages }>();
const MAX_TEXTS = 200;

function textOf(locale: Locale, messages: Messages, timeZone: string): Text {
  const key = `${locale} ${timeZone}`;
  const known = texts.get(key);
  if (known?.messages === messages) return known.text;
  if (texts.size >= MAX_TEXTS) texts.clear();
  const text = makeText(locale, messages, timeZone);
  texts.set(key, { text, messages });
  return text;
}

function makeText(locale: Locale, messages: Messages, timeZone: string): Text {
  const format = messageFormatter(locale, messages, timeZone);
  const counted = countFormatter(format);
  const has = (key: string) => Object.hasOwn(messages, key);
  const dates = keptBy((options) => new Intl.DateTimeFormat(locale, { timeZone, ...options }));
  const numbers = keptBy((options) => new Intl.NumberFormat(locale, options));
  const lists = keptBy((options) => new Intl.ListFormat(locale, options));
  const relatives = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    locale,
    dir: dirOf(locale),
    timeZone,
    t: (key, values) => (values ? counted(key, values) : String(format(key))),
    rich: (key, values) => keyed(format(key, values)),
    maybe: (key, values) => (has(key) ? String(format(key, values)) : undefined),
    date: (value, options = MEDIUM) => dates(options).format(new Date(value)),
    number: (value, options = NONE) => numbers(options).format(value),
    relative: (value, unit) => relatives.format(value, unit),
    list: (items, options = NONE) => lists(options).format(items),
  };
}

const MEDIUM = { dateStyle: 'medium' } as const;
const NONE = {};

type Format = (key: string, values?: Record<string, RichValue>) => ReactNode;

function messageFormatter(locale: Locale, messages: Messages, timeZone: string): Format {
  const formatters = new Map<string, IntlMessageFormat>();
  // Dates inside a message are in the visitor's zone too.
  const date = Object.fromEntries(
    Object.entries(IntlMessageFormat.formats.date).map(([name, options]) => [name, { ...options, timeZone }]),
  );
  return (key, values) => {
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined;
    if (!message) {
      reportOnce(`no text for ${key} in ${locale}`);
      return key;
    }
    const only = message.length === 1 ? message[0] : undefined;
    if (only?.type === 0) return only.value;
    let formatter = formatters.get(key);
    if (!formatter) formatters.set(key, (formatter = new IntlMessageFormat(message, locale, { date })));
    try {
      return formatter.format<ReactNode>(values) as ReactNode; // arrays of nodes are nodes
    } catch (error) {
      // A missing argument shall not take the page down with it.
      reportOnce(`text ${key} in ${locale}: ${String(error)}`);
      return key;
    }
  };
}

const MAX_COUNTED = 5_000;

/** Texts of one number, "3 replies", are put together once: a list has some for each of its rows. */
function countFormatter(format: Format): (key: string, values: Record<string, Value>) => string {
  const made = new Map<string, string>();
  return (key, values) => {
    const names = Object.keys(values);
    const value = values[names[0] ?? ''];
    if (names.length !== 1 || typeof value !== 'number') return String(format(key, values));
    const place = `${key} ${names[0]} ${value}`;
    let text = made.get(place);
    if (text === undefined) {
      if (made.size >= MAX_COUNTED) made.clear();
      made.set(place, (text = String(format(key, values))));
    }
    return text;
  };
}

/** One formatter for each set of options. */
function keptBy<O extends object, F>(make: (options: O) => F): (options: O) => F {
  const byObject = new WeakMap<O, F>();
  const byText = new Map<string, F>();
  return (options) => {
    let made = byObject.get(options);
    if (made) return made;
    const text = JSON.stringify(options);
    made = byText.get(text) ?? make(options);
    byText.set(text, made);
    byObject.set(options, made);
    return made;
  };
}

function keyed(node: ReactNode): ReactNode {
  return Array.isArray(node) ? node.map((part, index) => <Part key={index}>{part}</Part>) : node;
}
function Part({ children }: { children: ReactNode }) {
  return children;
}

const reported = new Set<string>();
function reportOnce(problem: string) {
  if (reported.has(problem) || reported.size > 500) return;
  reported.add(problem);
  console.warn(problem);
}

export const TextContext = createContext<Text | null>(null);

type ProviderProps = { locale: Locale; messages: Messages; timeZone: string; children: ReactNode };

/** Gives a page its texts; one per request on the server, one per document in the browser. */
export function TextProvider({ locale, messages, timeZone, children }: ProviderProps) {
  return <TextContext value={textOf(locale, messages, timeZone)}>{children}</TextContext>;
}

/** Texts, dates and numbers in the language of the page. */
export function useText(): Text {
  const text = useContext(TextContext);
  if (!text) throw new Error('useText outside of TextProvider');
  return text;
}
