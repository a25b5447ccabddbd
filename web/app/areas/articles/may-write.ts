import type { Viewer } from '../../server/page-context.ts';
import { isPublicServant } from '../../public-servant.ts';

/** Whether the API would let the viewer publish: only public servants write articles. */
export function mayWrite(viewer: Viewer | null): viewer is Viewer {
  return isPublicServant(viewer);
}
