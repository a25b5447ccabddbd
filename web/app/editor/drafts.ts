/** The fields of a form: names and values, as submitted. */
export type Fields = [name: string, value: string][];
export type Draft = {
  fields: Fields;
  /** Last change, in milliseconds. */
  at: number;
  /** Submitted; deleted once the server accepts it. */
  isSent?: boolean;
};

/** The part of `localStorage` in use, so that tests can replace it. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'draft:';
const MAX_AGE_MS = 30 * 86_400_000;
/** Fields that are not content, or already part of the key. */
const UNKEPT = /^(?:intent|parent|target|hasNext|additional)$/;

/** The storage key of a draft: user, page and form. */
export function draftKey(person: string, page: string, form: string): string {
  return `${PREFIX}${person}:${page}:${form}`;
}

/** The fields worth saving. */
export function keptFields(data: FormData): Fields {
  return [...data].filter((field): field is [string, string] => typeof field[1] === 'string' && !UNKEPT.test(field[0]));
}

/** Compares two texts without `version`, which is the edited state and not content. */
export function isSameText(some: Fields, others: Fields): boolean {
  const textOf = (fields: Fields) => JSON.stringify(fields.filter(([name]) => name !== 'version'));
  return textOf(some) === textOf(others);
}

export function readDraft(store: Store, key: string, now = Date.now()): Draft | null {
  try {
    const draft = JSON.parse(store.getItem(key) ?? 'null') as Draft | null; // written below only
    return draft && Array.isArray(draft.fields) && now - draft.at < MAX_AGE_MS ? draft : null;
  } catch {
    return null;
  }
}

/** Returns whether it was saved: storage may be full or disabled. */
export function saveDraft(store: Store, key: string, draft: Draft): boolean {
  try {
    store.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Deletes every draft for which `isOver` returns true. */
export function forgetDrafts(store: Store, isOver: (key: string, draft: Draft | null) => boolean): void {
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index));
  for (const key of keys) {
    if (key?.startsWith(PREFIX) && isOver(key, readDraft(store, key))) store.removeItem(key);
  }
}

/** A success message later than this belongs to another submission. */
const ANSWER_MS = 120_000;

export function wasJustSent(draft: Draft | null, now = Date.now()): boolean {
  return draft?.isSent === true && now - draft.at < ANSWER_MS;
}

/** Whether a draft belongs to another user. */
export function isOfAnother(key: string, person: string): boolean {
  return !key.startsWith(`${PREFIX}${person}:`);
}

const namesKey = (person: string) => `${PREFIX}${person}:names`;

/** Names of users mentioned in a user's drafts, which contain only ids. */
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
    // Storage is full: the mention stays, but its draft will show no name.
  }
}
