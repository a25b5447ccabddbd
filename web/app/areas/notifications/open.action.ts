import { readNotification } from '@officium/contract/notifications';
import { loadSignedIn } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/open.action';

/** Marks a notification as read and redirects to its subject, even when the notification no longer exists. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { attempt, url } = await loadSignedIn(request, context);
  await attempt(readNotification, { params: { id: params.id } });
  return redirect(safePath(url.searchParams.get('to')));
}
