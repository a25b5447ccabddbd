/** A notification as the server sends it (server/areas/notifications/push.view.ts), ready to be shown. */
export type Pushed = { title: string; options: NotificationOptions & { data: { path: string } } };

/** Undefined for anything that is no message of ours. */
export function readPushed(text: string | undefined): Pushed | undefined {
  let given: Record<string, unknown> | null;
  try {
    given = JSON.parse(text ?? '') as Record<string, unknown> | null; // checked below
  } catch {
    return undefined;
  }
  const { id, title, body, lang, dir, path } = given ?? {};
  if (typeof title !== 'string' || typeof body !== 'string' || typeof path !== 'string') return undefined;
  return {
    title,
    options: {
      body,
      lang: String(lang),
      dir: dir === 'rtl' ? 'rtl' : 'ltr',
      // A message that is delivered twice is shown once.
      tag: String(id),
      icon: '/favicon.svg',
      data: { path: /^\/(?!\/)/.test(path) ? path : '/' },
    },
  };
}

/** Whether the notifications belong to another person than the one who is signed in now. Nobody is not another. */
export function isForAnother(shows: string | undefined, person: string): boolean {
  return Boolean(shows && person && shows !== person);
}
