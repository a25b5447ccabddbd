import { redirect } from 'react-router';

/** `/accessibility` is where people look first. */
export function loader() {
  return redirect('/accessibility-statement');
}
