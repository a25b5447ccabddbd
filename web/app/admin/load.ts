import { data } from 'react-router';
import { loadSignedIn } from '../api.ts';
import { redirect } from '../redirect.ts';

/**
 * For loaders of the administration: a visitor is led to the sign-in page, whoever is no administrator gets
 * 403. An administrator without a second factor is led to set one up first, or gets 403, as ADMIN_SECOND_FACTOR says.
 */
export async function loadAdmin(...args: Parameters<typeof loadSignedIn>): ReturnType<typeof loadSignedIn> {
  const loaded = await loadSignedIn(...args);
  if (loaded.viewer.role !== 'administrator') throw data(null, { status: 403 });
  const { secondFactorDue } = loaded.viewer;
  if (secondFactorDue === 'required') throw data({ code: 'auth.second_factor_missing' }, { status: 403 });
  if (secondFactorDue === 'screens') throw redirect('/me/settings/security?due');
  return loaded;
}
