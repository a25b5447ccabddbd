import type { ThreadView } from './thread.loader.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What of a thread the address asks for, and which form is to be open where. */
export type ThreadAddress = ThreadView & {
  reply: string | undefined;
  edit: string | undefined;
  remove: string | undefined;
};

export function threadOf(search: URLSearchParams): ThreadAddress {
  const id = (name: string) => {
    const value = search.get(name) ?? '';
    return UUID.test(value) ? value.toLowerCase() : undefined;
  };
  return {
    order: search.get('order') === 'newest' ? 'newest' : 'oldest',
    after: id('after'),
    open: id('open'),
    reply: id('reply'),
    edit: id('edit'),
    remove: id('remove'),
  };
}

/** The query of a thread's page that shows `view`, with one form open. */
export function queryOfThread(
  view: ThreadView,
  form: Partial<Record<'reply' | 'edit' | 'remove', string>> = {},
): string {
  const search = new URLSearchParams();
  if (view.order === 'newest') search.set('order', 'newest');
  if (view.after) search.set('after', view.after);
  if (view.open) search.set('open', view.open);
  for (const [name, id] of Object.entries(form)) search.set(name, id);
  return search.size ? `?${search}` : '?';
}
