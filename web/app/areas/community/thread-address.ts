const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FORMS = ['reply', 'edit', 'remove', 'report'] as const;
/** Beyond this, the oldest translations are shown in the original again. */
const MOST_TRANSLATED = 10;
type FormName = (typeof FORMS)[number];

export type ThreadView = {
  order: 'oldest' | 'newest';
  /** Id of the reply after which this page starts. */
  after: string | undefined;
  /** Id of the reply whose replies are all shown. */
  open: string | undefined;
  /** Id of the requested reply; the page is chosen so that it contains it. */
  at: string | undefined;
};

/** The part of a thread that the address asks for, and the reply whose form is open, by form. */
export type ThreadAddress = ThreadView & { translated?: readonly string[] } & Record<FormName, string | undefined>;

/** The default view: from the first reply on. */
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

/** The query of a thread page that shows `view` with one form open. */
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

/** Queries that translate one more text, and that show it in the original. */
export function queriesOfTranslation(address: ThreadAddress, id: string): { to: string; back: string } {
  const others = (address.translated ?? []).filter((other) => other !== id);
  return {
    to: `${queryOfThread({ ...address, translated: [...others, id] })}#${id}`,
    back: `${queryOfThread({ ...address, translated: others })}#${id}`,
  };
}

/** The query that shows one reply, on whichever page of the thread it is. */
export function queryOfReply(id: string): string {
  return `?at=${id}#${id}`;
}

/** The reply id in a URL fragment, if it is one. */
export function replyOfHash(hash: string): string | undefined {
  return UUID.test(hash.slice(1)) ? hash.slice(1).toLowerCase() : undefined;
}

/** The greatest id below another, so that a page can start at that one. */
export function idBefore(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
