import { readProductPermissions } from '@officium/contract/admin';
import { type Piece, savePiece } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import {
  ACCESS_SCOPES,
  type AccessScope,
  previewProductAccess,
  setProductAccess,
} from '@officium/contract/product-access';
import type { act, Attempt } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';

type Acting = Awaited<ReturnType<typeof act>>;
type Product = Pick<Piece, 'kind' | 'productId'>;
export type AccessPreview = ReplyOf<typeof previewProductAccess>;
export type Scopes = { can_view: AccessScope; can_join: AccessScope };
/** The present audience, and the effect of a chosen one; `wanted` is null until another one is chosen. */
export type Audience = { now: AccessPreview; wanted: { view: AccessScope; preview: AccessPreview } | null };

export const scopeOf = (value: string | null): AccessScope | undefined =>
  ACCESS_SCOPES.find((scope) => scope === value);

async function readScopes(attempt: Attempt, { productId }: Product): Promise<Scopes | null> {
  if (productId === null) return null;
  const found = await attempt(readProductPermissions, { params: { id: productId } });
  return found.ok ? found.body.permissions : null;
}

/** Reads the audience of a product and the effect of choosing `view`; null for other pieces. */
export async function readAudience(
  attempt: Attempt,
  piece: Product,
  view: AccessScope | undefined,
): Promise<Audience | null> {
  const scopes = await readScopes(attempt, piece);
  if (!scopes || piece.productId === null) return null;
  const params = { id: piece.productId };
  const preview = async (query: Scopes) => await attempt(previewProductAccess, { params, query });
  const isOther = view !== undefined && view !== scopes.can_view && piece.kind !== 'journey';
  const [now, then] = await Promise.all([preview(scopes), isOther ? preview(scopesFor(view, scopes)) : null]);
  if (!now.ok) return null;
  return { now: now.body, wanted: isOther && then?.ok ? { view, preview: then.body } : null };
}

/** The scopes after choosing who sees a product. Joining follows viewing unless it was set apart and still fits. */
export function scopesFor(view: AccessScope, { can_view, can_join }: Scopes): Scopes {
  const isApart = can_join !== can_view && can_join !== 'authenticated';
  const fits = ACCESS_SCOPES.indexOf(can_join) >= ACCESS_SCOPES.indexOf(view);
  if (isApart && fits) return { can_view: view, can_join };
  return { can_view: view, can_join: view === 'public' ? 'authenticated' : view };
}

/** Whether the form chose another audience and its effect was not shown yet. */
export async function isUnreviewed({ attempt, fields }: Acting, piece: Product): Promise<boolean> {
  const view = scopeOf(textOf(fields, 'audience'));
  if (!view || piece.kind === 'journey' || textOf(fields, 'reviewed') === view) return false;
  const scopes = await readScopes(attempt, piece);
  return scopes !== null && scopes.can_view !== view;
}

/** Stores who will see the piece, as chosen beside the publish button. Returns a refusal, if any. */
export async function chooseAudience({ attempt, fields }: Acting, piece: Product) {
  const view = scopeOf(textOf(fields, 'audience'));
  if (!view || piece.productId === null || piece.kind === 'journey') return undefined;
  const scopes = await readScopes(attempt, piece);
  if (!scopes || scopes.can_view === view) return undefined;
  const done = await attempt(setProductAccess, { params: { id: piece.productId }, body: scopesFor(view, scopes) });
  return done.ok ? undefined : done.refusal;
}

/**
 * A course begins as one for people with access only, which would keep out everybody chosen beside the publish button.
 * Returns the version of the draft.
 */
export async function openNewCourse(
  { attempt, fields }: Acting,
  { kind, key, state, doc, capabilities }: Pick<Piece, 'kind' | 'key' | 'state' | 'doc' | 'capabilities'>,
  version: number,
) {
  const view = scopeOf(textOf(fields, 'audience'));
  const isClosed = doc.kind === 'course' && doc.type === 'Private';
  if (!isClosed || state !== 'draft' || capabilities || !view || view === 'private')
    return { ok: true as const, version };
  const saved = await attempt(savePiece, {
    params: { kind, key },
    body: { version, doc: { ...doc, type: 'Public' } },
  });
  return saved.ok ? { ok: true as const, version: saved.body.version } : saved;
}
