import { data } from 'react-router';
import { loadSignedIn } from '../server/api.ts';
import { redirect } from '../server/redirect.ts';

/**
 * For loaders of the administration: redirects visitors to sign-in and answers 403 to everyone but administrators. An
 * administrator without a second factor is redirected to set one up, or gets 403, as ADMIN_SECOND_FACTOR requires.
 */
export async function loadAdmin(...args: Parameters<typeof loadSignedIn>): ReturnType<typeof loadSignedIn> {
  const loaded = await loadSignedIn(...args);
  if (loaded.viewer.role !== 'administrator') throw data(null, { status: 403 });
  const { secondFactorDue } = loaded.viewer;
  if (secondFactorDue === 'required') throw data({ code: 'auth.second_factor_missing' }, { status: 403 });
  if (secondFactorDue === 'screens') throw redirect('/me/settings/security?due');
  return loaded;
}
