import { data } from 'react-router';

/** Catches every unknown address: the root's error boundary shows the page. */
export function loader(): never {
  throw data(null, { status: 404 });
}

export function action(): never {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
