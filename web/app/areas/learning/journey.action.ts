import { redirect } from '../../redirect.ts';
import type { Route } from './+types/journey.action';

/** A journey has no page of its own: it stands on that of its course. */
export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/courses/${encodeURIComponent(params.course)}#${encodeURIComponent(params.journey)}`);
}
