import { redirect } from 'react-router';
import { loadSignedIn } from '../../api.ts';
import type { Route } from './+types/me.action';

/** `/me` is one's own profile. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await loadSignedIn(request, context);
  return redirect(`/people/${viewer.id}`);
}
