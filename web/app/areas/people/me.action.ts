import { loadSignedIn } from '../../api.ts';
import { redirect } from '../../redirect.ts';
import type { Route } from './+types/me.action';

/** `/me` is one's own profile. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await loadSignedIn(request, context);
  return redirect(`/people/${viewer.id}`);
}
