import { redirect } from '../../redirect.ts';

/** `/accessibility` is where people look first. */
export function loader() {
  return redirect('/accessibility-statement');
}
