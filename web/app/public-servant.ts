import type { Viewer } from './door.ts';

/** Whether the API takes somebody for a public servant; administrators are. */
export function isPublicServant(viewer: Viewer | null): viewer is Viewer {
  return viewer !== null && !viewer.limited && (viewer.role === 'public-servant' || viewer.role === 'administrator');
}
