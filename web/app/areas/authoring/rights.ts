import type { Piece } from '@officium/contract/authoring';
import type { Capability } from '@officium/contract/capabilities';

/** Whether the viewer may do something with a piece, as the API answers it; administrators may do everything. */
export function can({ capabilities }: Pick<Piece, 'capabilities'>, capability: Capability): boolean {
  return !capabilities || capabilities.includes(capability);
}
