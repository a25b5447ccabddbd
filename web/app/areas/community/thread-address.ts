const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FORMS = ['reply', 'edit', 'remove', 'report'] as const;
/** Older ones are shown as they were written again. */
const MOST_TRANSLATED = 10;
type FormName = (typeof FORMS)[number];

export type ThreadView = {
  order: 'oldest' | 'newest';
  /** The reply after which this page starts. */
  after: string | undefined;
  /** The reply whose own replies are all shown. */
  open: string | undefined;
  /** The reply that is wanted, wherever it stands: the rest follows from it. */
  at: string | undefined;
};

/** What of a thread the address asks for, and which form is to be open where. */
export type ThreadAddress = ThreadView & { translated?: readonly string[] } & Record<FormName, string | undefined>;

/** A thread as it opens: from its first reply on. */
export const WHOLE_THREAD: ThreadView = { order: 'oldest', after: undefined, open: undefined, at: undefined };

export function threadOf(search: URLSearchParams): ThreadAddress {
  const id = (name: string) => {
    const value = search.get(name) ?? '';
    return UUID.test(value) ? value.toLowerCase() : undefined;
  };
  const translated = [...new Set(search.getAll('translate').filter((value) => UUID.test(value)))].slice(
    -MOST_TRANSLATED,
  );
  return {
    ...(translated.length > 0 && { translated: translated.map((value) => value.toLowerCase()) }),
    order: search.get('order') === 'newest' ? 'newest' : 'oldest',
    after: id('after'),
    open: id('open'),
    at: id('at'),
    reply: id('reply'),
    edit: id('edit'),
    remove: id('remove'),
    report: id('report'),
  };
}

/** The query of a thread's page that shows `view`, with one form open. */
export function queryOfThread(
  view: ThreadView & Pick<ThreadAddress, 'translated'>,
  form: Partial<Record<FormName, string>> = {},
): string {
  const search = new URLSearchParams();
  if (view.order === 'newest') search.set('order', 'newest');
  if (view.after) search.set('after', view.after);
  if (view.open) search.set('open', view.open);
  if (view.at) search.set('at', view.at);
  for (const id of view.translated ?? []) search.append('translate', id);
  for (const [name, id] of Object.entries(form)) search.set(name, id);
  return search.size ? `?${search}` : '?';
}

/** The addresses at which one more text is translated, and at which it is shown as it was written. */
export function queriesOfTranslation(address: ThreadAddress, id: string): { to: string; back: string } {
  const others = (address.translated ?? []).filter((other) => other !== id);
  return {
    to: `${queryOfThread({ ...address, translated: [...others, id] })}#${id}`,
    back: `${queryOfThread({ ...address, translated: others })}#${id}`,
  };
}

/** Leads to one reply, on whichever page of the thread it stands. */
export function queryOfReply(id: string): string {
  return `?at=${id}#${id}`;
}

/** The id of a reply that an address points to, if that is what its hash is. */
export function replyOfHash(hash: string): string | undefined {
  return UUID.test(hash.slice(1)) ? hash.slice(1).toLowerCase() : undefined;
}

/** The greatest id below another, so that a page can start with that one. */
export function idBefore(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
