import { readNotification } from '@officium/contract/notifications';
import { loadSignedIn } from '../../api.ts';
import { redirect } from '../../redirect.ts';
import { safePath } from '../../safe-path.ts';
import type { Route } from './+types/open.action';

/** Opening a notification reads it and leads to what it is about. One that is no more leads there all the same. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { attempt, url } = await loadSignedIn(request, context);
  await attempt(readNotification, { params: { id: params.id } });
  return redirect(safePath(url.searchParams.get('to')));
}
