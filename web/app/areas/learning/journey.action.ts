import { redirect } from '../../server/redirect.ts';
import type { Route } from './+types/journey.action';

/** A journey has no page of its own: redirects to its course. */
export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/courses/${encodeURIComponent(params.course)}#${encodeURIComponent(params.journey)}`);
}
