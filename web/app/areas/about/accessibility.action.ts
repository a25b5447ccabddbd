import { redirect } from '../../server/redirect.ts';

/** Redirects from `/accessibility`, which people try first. */
export function loader() {
  return redirect('/accessibility-statement');
}
