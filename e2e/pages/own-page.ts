import type { Screen } from '../screens.ts';

/** Pages about the person who is signed in, and searches and texts of their own. */
export const isOwnPage = ({ route }: Screen): boolean =>
  /^(?:me|tasks|notifications|search|articles|certificates|email|confirm)\b/.test(route);
