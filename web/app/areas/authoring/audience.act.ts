import { readProductPermissions } from '@officium/contract/admin';
import type { Piece } from '@officium/contract/authoring';
import { ACCESS_SCOPES, type AccessScope, setProductAccess } from '@officium/contract/product-access';
import type { act, Attempt } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';

type Acting = Awaited<ReturnType<typeof act>>;
export type Scopes = { can_view: AccessScope; can_join: AccessScope };

/** The scopes of a piece that is a product; null otherwise. A journey is seen as its course is. */
export async function readAudience(
  attempt: Attempt,
  { kind, productId }: Pick<Piece, 'kind' | 'productId'>,
): Promise<Scopes | null> {
  if (productId === null || kind === 'journey') return null;
  const found = await attempt(readProductPermissions, { params: { id: productId } });
  return found.ok ? found.body.permissions : null;
}

/** The scopes after choosing who sees a product. Joining follows viewing unless it was set apart and still fits. */
export function scopesFor(view: AccessScope, { can_view, can_join }: Scopes): Scopes {
  const isApart = can_join !== can_view && can_join !== 'authenticated';
  const fits = ACCESS_SCOPES.indexOf(can_join) >= ACCESS_SCOPES.indexOf(view);
  if (isApart && fits) return { can_view: view, can_join };
  return { can_view: view, can_join: view === 'public' ? 'authenticated' : view };
}

/** Stores who will see the piece, as chosen beside the publish button. Returns a refusal, if any. */
export async function chooseAudience({ attempt, fields }: Acting, piece: Pick<Piece, 'kind' | 'productId'>) {
  const view = ACCESS_SCOPES.find((scope) => scope === textOf(fields, 'audience'));
  if (!view || piece.productId === null) return undefined;
  const scopes = await readAudience(attempt, piece);
  if (!scopes || scopes.can_view === view) return undefined;
  const done = await attempt(setProductAccess, { params: { id: piece.productId }, body: scopesFor(view, scopes) });
  return done.ok ? undefined : done.refusal;
}
