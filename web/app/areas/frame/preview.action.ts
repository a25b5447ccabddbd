import { fieldsOf } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/preview.action';

const HOUR_SECONDS = 3600;

/** Begins or ends a preview as a learner. The API grants it to administrators only. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = await fieldsOf(request);
  const cohort = fields.get('cohort');
  const isEnd = fields.has('end');
  const value = typeof cohort === 'string' && /^[0-9a-f-]{36}$/.test(cohort) ? cohort : 'none';
  const name = context.get(pageContext).origin.startsWith('https:') ? '__Host-preview' : 'preview';
  const cookie = `${name}=${isEnd ? '' : value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${isEnd ? 0 : HOUR_SECONDS}`;
  return redirect(safePath(fields.get('next')), { headers: { 'set-cookie': cookie } });
}

export function loader() {
  return redirect('/');
}
