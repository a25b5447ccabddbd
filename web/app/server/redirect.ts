import { redirect as redirectAnywhere } from 'react-router';
import { safePath } from './safe-path.ts';

/** Redirects to a page of this site. A path that would lead elsewhere redirects to the home page. */
export function redirect(to: string, init?: number | ResponseInit): Response {
  return redirectAnywhere(safePath(to), init);
}
