import { expect, test } from 'vitest';
import {
  draftKey,
  forgetDrafts,
  isOfAnother,
  isSameText,
  keptFields,
  readDraft,
  saveDraft,
  wasJustSent,
  type Store,
} from './drafts.ts';

function emptyStore(): Store {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
}

const ada = draftKey('ada', '/communities/a', 'post');
const bo = draftKey('bo', '/communities/a', 'post');

test('keeps a draft per user, page and form, for a month', () => {
  const store = emptyStore();
  expect(saveDraft(store, ada, { fields: [['body', 'Hello']], at: 0 })).toBe(true);
  expect(readDraft(store, ada, 1)?.fields).toEqual([['body', 'Hello']]);
  expect(readDraft(store, bo, 1)).toBeNull();
  expect(readDraft(store, draftKey('ada', '/communities/a', 'poll'), 1)).toBeNull();
  expect(readDraft(store, ada, 31 * 86_400_000)).toBeNull();
});

test('deletes drafts of others, sent drafts or all drafts, and nothing else', () => {
  const store = emptyStore();
  store.setItem('theme', 'dark');
  const at = Date.now();
  saveDraft(store, ada, { fields: [], at });
  saveDraft(store, bo, { fields: [], at, isSent: true });
  forgetDrafts(store, (key) => isOfAnother(key, 'bo'));
  expect(readDraft(store, ada)).toBeNull();
  expect(readDraft(store, bo)).not.toBeNull();
  forgetDrafts(store, (_key, draft) => wasJustSent(draft, at + 3_600_000));
  expect(readDraft(store, bo)).not.toBeNull();
  forgetDrafts(store, (_key, draft) => wasJustSent(draft));
  expect(readDraft(store, bo)).toBeNull();
  expect(store.getItem('theme')).toBe('dark');
});

test('skips fields that are not content and ignores a corrupt draft', () => {
  const data = new FormData();
  for (const name of ['intent', 'title', 'parent', 'body', 'category-ideas']) data.append(name, name);
  data.append('file', new Blob(['x']));
  expect(keptFields(data).map(([name]) => name)).toEqual(['title', 'body', 'category-ideas']);
  const store = emptyStore();
  store.setItem(ada, '{');
  expect(readDraft(store, ada)).toBeNull();
});

test('reports a device without storage', () => {
  const full: Store = {
    ...emptyStore(),
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  expect(saveDraft(full, ada, { fields: [], at: 0 })).toBe(false);
});

test('compares texts regardless of their version', () => {
  const fields = (version: string, body: string): [string, string][] => [
    ['version', version],
    ['body', body],
  ];
  expect(isSameText(fields('1', 'Hello'), fields('2', 'Hello'))).toBe(true);
  expect(isSameText(fields('1', 'Hello'), fields('1', 'Hello.'))).toBe(false);
});
