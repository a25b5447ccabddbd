import type { Viewer } from '../../door.ts';
import { isPublicServant } from '../../public-servant.ts';

/** Whether the API would let somebody publish: articles are by public servants. */
export function mayWrite(viewer: Viewer | null): viewer is Viewer {
  return isPublicServant(viewer);
}
