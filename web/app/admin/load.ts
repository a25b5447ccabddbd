import type { Capability } from '@officium/contract/capabilities';
import { data } from 'react-router';
import { loadSignedIn } from '../server/api.ts';
import { redirect } from '../server/redirect.ts';
import { may } from './areas.ts';

type Args = Parameters<typeof loadSignedIn>;

/**
 * For loaders of the administration: redirects visitors to sign-in and answers 403 to everyone but administrators and,
 * where a capability is given, people whose role includes it. Without a second factor they are redirected to set one up,
 * or get 403, as ADMIN_SECOND_FACTOR requires.
 */
export async function loadAdmin(
  request: Args[0],
  context: Args[1],
  capability?: Capability,
): ReturnType<typeof loadSignedIn> {
  const loaded = await loadSignedIn(request, context);
  const { role, secondFactorDue } = loaded.viewer;
  if (secondFactorDue === 'required') throw data({ code: 'auth.second_factor_missing' }, { status: 403 });
  const isOpen = role === 'administrator' || (capability !== undefined && may(loaded.viewer, capability));
  if (!isOpen) throw data(null, { status: 403 });
  if (secondFactorDue === 'screens') throw redirect('/me/settings/security?due');
  return loaded;
}
