import type { z } from 'zod';
import type { AuditEntry } from '@officium/contract/audit';
import { endonymOf, isLocale } from '@officium/i18n/locales';
import type { MessageKey } from '../../message-keys.ts';
import type { Text } from '../../text.tsx';
import { NAMES, VALUES, WORDED } from './audit-vocabulary.ts';

type Entry = z.output<typeof AuditEntry>;
type Words = Pick<Text, 't' | 'date' | 'number' | 'list'>;

/** An action as a sentence; undefined when the catalogues do not know it. */
export function sentenceOf({ maybe }: Pick<Text, 'maybe'>, action: string): string | undefined {
  return maybe(`admin.audit_did_${action.replaceAll(/[^a-z]/g, '_')}`);
}

/** Singleton objects, whose id is a word. */
const OBJECTS: Record<string, MessageKey> = {
  'audit-log': 'admin.audit',
  'auto-approvals': 'admin.approval',
  content: 'admin.content',
};

export function wordOfObject({ t }: Pick<Text, 't'>, object: string): string | undefined {
  const key = wordIn(OBJECTS, object);
  return key && t(key);
}

/** Names without a message, and values that are ids, keys or JSON, are shown as code. */
export type Part = { name: string; value: string; isNameCode: boolean; isValueCode: boolean };

/** The details of an entry, in the language of the page. */
export function detailOf(text: Words, { action, detail }: Pick<Entry, 'action' | 'detail'>): Part[] {
  // The database orders keys by length.
  const noted = notedIn(detail).toSorted((one, other) => rankOf(one) - rankOf(other));
  return noted.map((one) => partOf(text, action, one));
}

type Noted = { name: string; value: unknown; isFormer: boolean };

/** Flattens `before`, which holds both former permissions of a product. */
function notedIn(detail: Entry['detail']): Noted[] {
  return Object.entries(detail).flatMap(([name, value]): Noted[] =>
    name === 'before' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([former, was]) => ({ name: former, value: was, isFormer: true }))
      : [{ name, value, isFormer: false }],
  );
}

/** Subject first, then former values, then new ones. */
function rankOf({ name, isFormer }: Noted): number {
  if (isFormer || name === 'before' || name === 'from') return 1;
  return ['can_join', 'can_view', 'scope', 'to'].includes(name) ? 2 : 0;
}

function partOf(text: Words, action: string, { name, value, isFormer }: Noted): Part {
  const { t } = text;
  const key = wordIn(NAMES, nameIn(action, name));
  const word = key ? t(key) : name;
  return {
    name: isFormer ? t('admin.audit_part_before', { name: word }) : word,
    isNameCode: key === undefined,
    ...valueOf(text, name, value),
  };
}

/** The `slug` of an upload is its label, not an address. */
function nameIn(action: string, name: string): string {
  return action === 'admin.upload-emails' && name === 'slug' ? 'label' : name;
}

function valueOf(text: Words, name: string, value: unknown): Pick<Part, 'value' | 'isValueCode'> {
  const word = wordOf(text, name, value);
  if (word !== undefined) return { value: word, isValueCode: false };
  if (Array.isArray(value)) {
    const words = value.map((one) => wordOf(text, name, one));
    if (words.every((one) => one !== undefined)) return { value: text.list(words), isValueCode: false };
    return { value: value.map(String).join(', '), isValueCode: true };
  }
  return { value: typeof value === 'string' ? value : JSON.stringify(value), isValueCode: true };
}

const EXACT = { dateStyle: 'long', timeStyle: 'short' } as const;
const SECONDS = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;

function wordOf({ t, date, number }: Words, name: string, value: unknown): string | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '–';
  if (typeof value === 'boolean') return t(value ? 'admin.audit_is_yes' : 'admin.audit_is_no');
  if (typeof value === 'number') {
    if (name === 'exp') return date(value * 1000, EXACT);
    if (name === 'slowModeSeconds') return number(value, SECONDS);
    return number(name === 'column' ? value + 1 : value); // columns are zero-based
  }
  if (typeof value !== 'string') return undefined;
  if (name === 'dueOn') return date(`${value}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' });
  if ((name === 'heldBack' || name === 'language') && isLocale(value)) return endonymOf(value);
  const key = WORDED.has(name) ? wordIn(VALUES, value) : undefined;
  return key && t(key);
}

function wordIn(words: Record<string, MessageKey>, code: string): MessageKey | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
