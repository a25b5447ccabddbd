import type { Viewer } from './server/page-context.ts';

/** Whether the API counts the viewer as a public servant; administrators are. */
export function isPublicServant(viewer: Viewer | null): viewer is Viewer {
  return viewer !== null && !viewer.limited && (viewer.role === 'public-servant' || viewer.role === 'administrator');
}
