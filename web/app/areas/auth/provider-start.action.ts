import { redirect } from 'react-router';
import { startProviderSignIn } from '@officium/contract/provider-sign-in';
import { load } from '../../server/api.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/provider-start.action';
import { providerAttempt } from './provider.ts';

/**
 * Redirects to the organisation's sign-in. A link leads here, because browsers block forms that
 * redirect to other sites (`form-action`).
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, origin } = await load(request, context);
  const begun = await api(startProviderSignIn, { body: { next: safePath(url.searchParams.get('next')) } });
  return redirect(begun.url, {
    headers: { 'set-cookie': providerAttempt.set(begun.attempt, origin), 'cache-control': 'no-store' },
  });
}
