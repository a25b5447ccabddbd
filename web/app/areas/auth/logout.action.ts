import { signOut } from '@officium/contract/auth';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { redirect } from '../../server/redirect.ts';
import type { Route } from './+types/logout.action';

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, viewer } = await act(request, context);
  if (viewer) await attempt(signOut); // an already expired session counts as signed out
  return redirectWith('/', { key: 'common.you_are_signed_out' });
}

export function loader() {
  return redirect('/');
}
