import { signOut } from '@officium/contract/auth';
import { act } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import { redirect } from '../../redirect.ts';
import type { Route } from './+types/logout.action';

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, viewer } = await act(request, context);
  if (viewer) await attempt(signOut); // a session that is over already is as good as ended
  return redirectWith('/', { key: 'common.you_are_signed_out' });
}

export function loader() {
  return redirect('/');
}
