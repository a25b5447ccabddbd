import { createContext, useContext, type ReactNode } from 'react';
import { createIntl, createIntlCache, RawIntlProvider, type IntlShape } from 'react-intl';
import { IntlMessageFormat, type FormatXMLElementFn } from 'intl-messageformat';
import { DEFAULT_LOCALE, dirOf, type Direction, type Locale } from '@officium/i18n/locales';
import type { MessageKey } from './message-keys.ts';
import type { Messages } from './messages.ts';

type Value = string | number | boolean | Date | null | undefined;
type RichValue = Value | ReactNode | FormatXMLElementFn<ReactNode, ReactNode>;

export type Text = {
  locale: Locale;
  dir: Direction;
  timeZone: string;
  /** The text of a key, with its arguments filled in. */
  t: (key: MessageKey, values?: Record<string, Value>) => string;
  /** The same with elements: `{name}` may be one, `<link>…</link>` takes a function of its children. */
  rich: (key: MessageKey, values: Record<string, RichValue>) => ReactNode;
  /** For keys made at run time, such as `errors.<code>`: undefined when there is no such text. */
  maybe: (key: string, values?: Record<string, Value>) => string | undefined;
  date: (value: Date | string | number, options?: Intl.DateTimeFormatOptions) => string;
  number: (value: number, options?: Intl.NumberFormatOptions) => string;
  intl: IntlShape;
};

const TextContext = createContext<Text | null>(null);
const cache = createIntlCache();

// Everything here is the same for all visitors of one locale and zone, and costly to make: kept, but not without end,
// for the zone comes from a cookie.
const texts = new Map<string, Text>();
const MAX_TEXTS = 200;

function textOf(locale: Locale, messages: Messages, timeZone: string): Text {
  const key = `${locale} ${timeZone}`;
  const known = texts.get(key);
  if (known && known.intl.messages === messages) return known;
  if (texts.size >= MAX_TEXTS) texts.clear();
  const text = makeText(locale, messages, timeZone);
  texts.set(key, text);
  return text;
}

function makeText(locale: Locale, messages: Messages, timeZone: string): Text {
  const intl = createIntl({ locale, defaultLocale: DEFAULT_LOCALE, messages, timeZone, onError: reportOnce }, cache);
  // intl.formatMessage finds its formatter by serialising the whole message; a map by key is some twenty times cheaper.
  const formats = new Map<string, IntlMessageFormat>();
  const format = (key: string, values?: Record<string, RichValue>): ReactNode => {
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined;
    if (!message) {
      reportOnce(new Error(`no text for ${key}`));
      return key;
    }
    const only = message.length === 1 ? message[0] : undefined;
    if (only?.type === 0) return only.value;
    let formatter = formats.get(key);
    if (!formatter) {
      // Dates inside messages are in the visitor's zone; the option is how intl-messageformat is told.
      const date = Object.fromEntries(
        Object.entries(IntlMessageFormat.formats.date).map(([name, options]) => [name, { ...options, timeZone }]),
      );
      formatter = new IntlMessageFormat(message, locale, { date }, { formatters: intl.formatters });
      formats.set(key, formatter);
    }
    return formatter.format<ReactNode>(values) as ReactNode;
  };
  const numbers = new Map<string, Intl.NumberFormat>();
  return {
    locale,
    dir: dirOf(locale),
    timeZone,
    intl,
    t: (key, values) => String(format(key, values)),
    rich: (key, values) => keyed(format(key, values)),
    maybe: (key, values) => (Object.hasOwn(messages, key) ? String(format(key, values)) : undefined),
    date: (value, options) => intl.formatDate(value, options ?? { dateStyle: 'medium' }),
    number: (value, options) => {
      const id = options ? JSON.stringify(options) : '';
      let formatter = numbers.get(id);
      if (!formatter) numbers.set(id, (formatter = new Intl.NumberFormat(locale, options)));
      return formatter.format(value);
    },
  };
}

function keyed(node: ReactNode): ReactNode {
  return Array.isArray(node) ? node.map((part, index) => <Part key={index}>{part}</Part>) : node;
}
function Part({ children }: { children: ReactNode }) {
  return children;
}

const reported = new Set<string>();
function reportOnce(error: Error) {
  if (reported.has(error.message) || reported.size > 500) return;
  reported.add(error.message);
  console.warn(error.message);
}

type ProviderProps = { locale: Locale; messages: Messages; timeZone: string; children: ReactNode };

/** Gives a page its texts; one per request on the server, one per document in the browser. */
export function TextProvider({ locale, messages, timeZone, children }: ProviderProps) {
  const text = textOf(locale, messages, timeZone);
  return (
    <RawIntlProvider value={text.intl}>
      <TextContext value={text}>{children}</TextContext>
    </RawIntlProvider>
  );
}

/** Texts, dates and numbers in the language of the page. */
export function useText(): Text {
  const text = useContext(TextContext);
  if (!text) throw new Error('useText outside of TextProvider');
  return text;
}

