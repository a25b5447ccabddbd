import type { Locale } from '@officium/contract/common';
import type { EditorialKind } from '@officium/contract/editorials';
import { ANONYMOUS, isActive, type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { canSee } from './catalogue.policy.ts';
import { hasPage } from './editorial.policy.ts';
import {
  type EditorialAsk,
  type EditorialBodyRow,
  type EditorialFactsRow,
  findEditorialBodies,
  findEditorialFacts,
} from './editorial.repository.ts';
import { signMedia } from './media-access.policy.ts';

/** The questions, solution articles and hubs that a viewer may see, or those of them that are named. */
export async function seenEditorials(
  db: Db,
  viewer: Viewer,
  ask: Omit<EditorialAsk, 'userId'> = {},
): Promise<EditorialFactsRow[]> {
  const userId = viewerId(isActive(viewer) ? viewer : ANONYMOUS);
  const found = await findEditorialFacts(db, { ...ask, userId });
  return found.filter((row) => hasPage(row.kind) && canSee(viewer, { canView: row.can_view }, row.is_granted));
}

export async function isEditorialSeen(
  db: Db,
  viewer: Viewer,
  id: string,
  kind?: EditorialKind | undefined,
): Promise<boolean> {
  return (await seenEditorials(db, viewer, { kind, named: { by: 'id', values: [id] } })).length > 0;
}

/** The texts of editorials that their reader may see, with addresses of their recordings and files. */
export async function readEditorialBodies(
  ctx: Ctx,
  asked: { ids: string[]; chain: Locale[] },
): Promise<Map<string, EditorialBodyRow>> {
  const bodies = await findEditorialBodies(ctx.db, asked);
  const now = ctx.clock.now();
  const signed = ({ html, asset_keys: keys }: EditorialBodyRow) => signMedia(ctx.seal.hash, { html, keys }, now);
  return new Map([...bodies].map(([id, body]) => [id, { ...body, html: signed(body) }]));
}
