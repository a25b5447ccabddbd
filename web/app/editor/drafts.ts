/** What stands in a form: names and values, as they would be sent. */
export type Fields = [name: string, value: string][];
export type Draft = {
  fields: Fields;
  /** When it was last changed, in milliseconds. */
  at: number;
  /** On its way to the server: forgotten once that has said yes. */
  isSent?: boolean;
};

/** The part of `localStorage` that is used, so that rules can be tested. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'draft:';
const MAX_AGE_MS = 30 * 86_400_000;
/** Not what a person writes, or told apart by the key already. */
const UNKEPT = /^(?:intent|parent|target|hasNext|additional)$/;

/** A draft belongs to a person, a page and a form. */
export function draftKey(person: string, page: string, form: string): string {
  return `${PREFIX}${person}:${page}:${form}`;
}

/** The fields of a form worth keeping. */
export function keptFields(data: FormData): Fields {
  return [...data].filter((field): field is [string, string] => typeof field[1] === 'string' && !UNKEPT.test(field[0]));
}

/** Of the same text: `version` says which state of a thing was edited, and nobody writes it. */
export function isSameText(some: Fields, others: Fields): boolean {
  const textOf = (fields: Fields) => JSON.stringify(fields.filter(([name]) => name !== 'version'));
  return textOf(some) === textOf(others);
}

export function readDraft(store: Store, key: string, now = Date.now()): Draft | null {
  try {
    const draft = JSON.parse(store.getItem(key) ?? 'null') as Draft | null; // written below, and nowhere else
    return draft && Array.isArray(draft.fields) && now - draft.at < MAX_AGE_MS ? draft : null;
  } catch {
    return null;
  }
}

/** Answers whether it could be kept: a device may be full, or keep nothing. */
export function saveDraft(store: Store, key: string, draft: Draft): boolean {
  try {
    store.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Takes away every draft for which `isOver` says so. */
export function forgetDrafts(store: Store, isOver: (key: string, draft: Draft | null) => boolean): void {
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index));
  for (const key of keys) {
    if (key?.startsWith(PREFIX) && isOver(key, readDraft(store, key))) store.removeItem(key);
  }
}

/** Thanks that come much later are for something else. */
const ANSWER_MS = 120_000;

export function wasJustSent(draft: Draft | null, now = Date.now()): boolean {
  return draft?.isSent === true && now - draft.at < ANSWER_MS;
}

/** Whether a draft is of somebody else than this person. */
export function isOfAnother(key: string, person: string): boolean {
  return !key.startsWith(`${PREFIX}${person}:`);
}

const namesKey = (person: string) => `${PREFIX}${person}:names`;

/** Names of those mentioned in somebody's drafts: a draft itself knows only their ids. */
export function keptNames(store: Store, person: string): Record<string, string> {
  try {
    return JSON.parse(store.getItem(namesKey(person)) ?? '{}') as Record<string, string>; // written below
  } catch {
    return {};
  }
}

export function keepName(store: Store, person: string, { id, name }: { id: string; name: string }): void {
  try {
    store.setItem(namesKey(person), JSON.stringify({ ...keptNames(store, person), [id]: name }));
  } catch {
    // Full: the mention stays, a draft of it will show no name.
  }
}
