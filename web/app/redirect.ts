import { redirect as redirectAnywhere } from 'react-router';
import { safePath } from './safe-path.ts';

/** Redirects to a page of this site, whatever its path is made of; what would lead elsewhere leads home. */
export function redirect(to: string, init?: number | ResponseInit): Response {
  return redirectAnywhere(safePath(to), init);
}
