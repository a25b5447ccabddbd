import { redirect } from 'react-router';
import { startProviderSignIn } from '@officium/contract/provider-sign-in';
import { load } from '../../api.ts';
import { safePath } from '../../safe-path.ts';
import type { Route } from './+types/provider-start.action';
import { providerAttempt } from './provider.ts';

/** Leads to the organisation. A link and no form: browsers let a form lead to no other site. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, origin } = await load(request, context);
  const begun = await api(startProviderSignIn, { body: { next: safePath(url.searchParams.get('next')) } });
  return redirect(begun.url, {
    headers: { 'set-cookie': providerAttempt.set(begun.attempt, origin), 'cache-control': 'no-store' },
  });
}
