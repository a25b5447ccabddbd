import { DISMISSED } from '../../notice-times.ts';
import { dismiss } from '../../notices.ts';
import { fieldsOf } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/dismiss-notice.action';

/** Hides a notice on this device. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = await fieldsOf(request);
  const key = fields.get('notice');
  const next = safePath(fields.get('next'));
  if (typeof key !== 'string' || !/^[\w-]{1,40}\.\d{1,9}$/.test(key)) return redirect(next);
  const value = dismiss(key, context.get(pageContext).cookies[DISMISSED]);
  return redirect(next, {
    headers: { 'set-cookie': `${DISMISSED}=${value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax` },
  });
}

export function loader() {
  return redirect('/');
}
