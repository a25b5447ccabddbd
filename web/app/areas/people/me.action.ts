import { loadSignedIn } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import type { Route } from './+types/me.action';

/** Redirects `/me` to the viewer's own profile. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await loadSignedIn(request, context);
  return redirect(`/people/${viewer.id}`);
}
