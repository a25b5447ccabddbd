import type { CommunityPageTexts } from '@officium/contract/community-settings';
import type { Locale } from '@officium/contract/common';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import * as store from '#server/areas/importing/import.repository.ts';
import { liveOf, openPiece } from './piece-open.service.ts';
import { renderPiece } from './piece-pages.service.ts';
import { isSame, type StoredDoc } from './piece.policy.ts';
import * as pieces from './piece.repository.ts';
import type { PieceRow } from './piece.repository.ts';
import { noteFound, PUBLISHED, settle, writeReady } from './publication.service.ts';
import { sourceLocaleOf } from './piece.view.ts';

type CommunityDoc = Extract<StoredDoc, { kind: 'community' }>;
type Page = Omit<CommunityPageTexts, 'locale'>;

async function openLive(db: Db, key: string): Promise<{ row: PieceRow; live: CommunityDoc }> {
  const row = await openPiece(db, { kind: 'community', key });
  const live = liveOf(row);
  if (live?.kind !== 'community') throw notFound();
  return { row, live };
}

/** The language of the community, or else the one that its title is written in. */
const localeOf = (row: PieceRow, live: CommunityDoc): Locale =>
  live.title[live.locale] === undefined ? sourceLocaleOf({ ...row, draft: null }) : live.locale;

/** Title, description and categories of a community in its main language. The caller checks the right to edit them. */
export async function readCommunityPage(db: Db, key: string): Promise<CommunityPageTexts> {
  const { row, live } = await openLive(db, key);
  const locale = localeOf(row, live);
  return {
    locale,
    title: live.title[locale] ?? '',
    description: live.description[locale] ?? '',
    categories: live.categories,
  };
}

function withPage<Doc extends StoredDoc>(doc: Doc, locale: Locale, { title, description, categories }: Page): Doc {
  if (doc.kind !== 'community') return doc;
  const { [locale]: _, ...others } = doc.description;
  return {
    ...doc,
    title: { ...doc.title, [locale]: title },
    description: description === '' ? others : { ...others, [locale]: description },
    categories,
  };
}

/** Locks the page of a community to write it. The caller then checks the right to edit it, which may end while it waits. */
export async function lockCommunityPage(db: Db, key: string): Promise<void> {
  await store.lockImport(db);
  await pieces.lockPieces(db, [{ kind: 'community', key }]);
}

/**
 * Publishes new texts of a community page as a version, and changes them in a draft too. `db` is a transaction that has
 * locked the page and checked that its community is published and that the actor may edit it.
 */
export async function writeCommunityPage(
  ctx: Ctx,
  db: Db,
  actor: UserViewer,
  { key, page }: { key: string; page: Page },
): Promise<void> {
  const piece = { kind: 'community', key } as const;
  const { row, live } = await openLive(db, key);
  const locale = localeOf(row, live);
  const doc = withPage(live, locale, page);
  if (isSame(live, doc)) return;
  await takeLimit(ctx, `publish-content:${actor.id}`, PUBLISHED, Buffer.byteLength(JSON.stringify(doc)));
  const { entryId, parent, position, ownId } = row;
  const rendered = await renderPiece(ctx.files, doc);
  const ready = { ...piece, entryId, parent, position, ownId, doc, rendered, userId: actor.id };
  await noteFound(db, { piece, row });
  await writeReady(db, ready);
  const draft = row.draft && withPage(row.draft, locale, page);
  await settle(db, actor, { piece, row, draft, heldBack: [] });
}
