import { fieldsOf } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/theme.action';

export async function action({ request }: Route.ActionArgs) {
  const fields = await fieldsOf(request);
  const theme = fields.get('theme');
  const isChoice = theme === 'light' || theme === 'dark';
  return redirect(safePath(fields.get('next')), {
    headers: {
      'set-cookie': `theme=${isChoice ? theme : ''}; Path=/; Max-Age=${isChoice ? 31_536_000 : 0}; SameSite=Lax`,
    },
  });
}

export function loader() {
  return redirect('/');
}
