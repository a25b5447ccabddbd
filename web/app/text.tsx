import { createContext, useContext, type ReactNode } from 'react';
import { IntlMessageFormat, type FormatXMLElementFn } from 'intl-messageformat';
import { dateLocaleOf, dirOf, type Direction, type Locale } from '@officium/i18n/locales';
import type { MessageKey } from './message-keys.ts';
import type { Messages } from './messages.ts';

type Value = string | number | boolean | Date | null | undefined;
type RichValue = Value | ReactNode | FormatXMLElementFn<ReactNode, ReactNode>;
type Moment = Date | string | number;

export type Text = {
  locale: Locale;
  dir: Direction;
  /** As reported by the visitor's browser; UTC before that. */
  timeZone: string;
  /** The message of a key with its arguments. */
  t: (key: MessageKey, values?: Record<string, Value>) => string;
  /** Like `t`, with elements: `{name}` may be one, `<link>…</link>` takes a function of its children. */
  rich: (key: MessageKey, values: Record<string, RichValue>) => ReactNode;
  /** For computed keys, such as `errors.<code>`: undefined for unknown ones. */
  maybe: (key: string, values?: Record<string, Value>) => string | undefined;
  /** A date, in medium style by default. */
  date: (value: Moment, options?: Intl.DateTimeFormatOptions) => string;
  number: (value: number, options?: Intl.NumberFormatOptions) => string;
  /** `-3, 'hour'` as "3 hours ago". */
  relative: (value: number, unit: Intl.RelativeTimeFormatUnit) => string;
  /** "Ada, Bo and Chen". */
  list: (items: readonly string[], options?: Intl.ListFormatOptions) => string;
};

// react-intl's provider looks up formatters by serialising whole messages and weighs 12 kB more than its engine,
// intl-messageformat, which is used directly. A Text is the same for all visitors of a locale and zone and costly to
// build, so it is cached; bounded, because the zone comes from a cookie.
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
  const dates = cachedBy((options) => new Intl.DateTimeFormat(dateLocaleOf(locale), { timeZone, ...options }));
  const numbers = cachedBy((options) => new Intl.NumberFormat(locale, options));
  const lists = cachedBy((options) => new Intl.ListFormat(locale, options));
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
  // Dates in messages use the visitor's zone too.
  const date = Object.fromEntries(
    Object.entries(IntlMessageFormat.formats.date).map(([name, options]) => [name, { ...options, timeZone }]),
  );
  return (key, values) => {
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined;
    if (!message) {
      reportOnce(`no message for ${key} in ${locale}`);
      return key;
    }
    const only = message.length === 1 ? message[0] : undefined;
    if (only?.type === 0) return only.value;
    let formatter = formatters.get(key);
    if (!formatter) formatters.set(key, (formatter = new IntlMessageFormat(message, locale, { date })));
    try {
      return formatter.format<ReactNode>(values) as ReactNode; // an array of nodes is a node
    } catch (error) {
      // A missing argument must not take the page down.
      reportOnce(`text ${key} in ${locale}: ${String(error)}`);
      return key;
    }
  };
}

const MAX_COUNTED = 5_000;

/** Caches messages with a single number, "3 replies": lists format several per row. */
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

/** Caches one formatter per set of options. */
function cachedBy<O extends object, F>(make: (options: O) => F): (options: O) => F {
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

/** Provides the messages; one per request on the server, one per document in the browser. */
export function TextProvider({ locale, messages, timeZone, children }: ProviderProps) {
  return <TextContext value={textOf(locale, messages, timeZone)}>{children}</TextContext>;
}

/** Messages, dates and numbers in the language of the page. */
export function useText(): Text {
  const text = useContext(TextContext);
  if (!text) throw new Error('useText outside of TextProvider');
  return text;
}
