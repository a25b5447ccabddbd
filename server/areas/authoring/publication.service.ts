import type { publishPiece as Publish } from '@officium/contract/authoring';
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid } from '#server/errors.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { isEditorialKind, partNames } from '#server/areas/catalogue/editorial.policy.ts';
import * as store from '#server/areas/importing/import.repository.ts';
import * as journeyStore from '#server/areas/importing/import-journey.repository.ts';
import * as entryStore from '#server/areas/importing/import-entry.repository.ts';
import { bodyOf, isSame, type PieceKey, settled, type StoredDoc } from './piece.policy.ts';
import * as pieces from './piece.repository.ts';
import * as order from './piece-order.repository.ts';
import * as versions from './piece-version.repository.ts';
import type { PieceRow } from './piece.repository.ts';
import { findParts } from './piece-part.repository.ts';
import { requireSchedule } from './editorial-live.service.ts';
import { type GoingLive, settleOutline, writeLive } from './piece-live.service.ts';
import { renderPiece } from './piece-pages.service.ts';
import { joinAcademy } from './academy-course.service.ts';
import { docOf, liveOf, openAs, openPiece, openToChange } from './piece-open.service.ts';
import { isAccessKept } from './piece-change.policy.ts';
import { keep } from './piece.service.ts';
import { bankAround } from './question-bank.service.ts';
import { findFindings } from './piece-findings.service.ts';
import { stateOf } from './piece.view.ts';

/** A piece to publish with the row it was prepared from. */
type Going = { row: PieceRow; piece: PieceKey; ready: GoingLive; heldBack: Locale[] };
type Options = InputOf<typeof Publish>['body'];

/** Bytes of drafts, because each publication is stored as a version for good. */
export const PUBLISHED: Limit = { max: 64 * 1024 * 1024, windowSeconds: 3600 };

/**
 * Publishes drafts in one transaction. Texts are rendered before it; if one of the pieces changes meanwhile, the
 * publication fails.
 */
export async function publishPiece(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  options: Options,
): Promise<ReplyOf<typeof Publish>> {
  const row = await openAs(ctx.db, actor, piece, 'publish-content');
  if (row.version !== options.version) throw new AppError('content.changed_meanwhile');
  if (stateOf(row) === 'published') throw new AppError('content.nothing_to_publish');
  const all = await gather(ctx, actor, piece, row, options);
  const bytes = all.reduce((sum, { ready }) => sum + Buffer.byteLength(JSON.stringify(ready.doc)), 0);
  await takeLimit(ctx, `publish-content:${actor.id}`, PUBLISHED, bytes);
  const done = await inTransaction(ctx.db, async (db) => {
    await store.lockImport(db);
    await openToChange(db, actor, piece, 'publish-content');
    const versions = await pieces.lockPieces(
      db,
      all.map((going) => going.piece),
    );
    for (const going of all)
      if ((versions.get(`${going.piece.kind} ${going.piece.key}`) ?? 0) !== going.row.version)
        throw new AppError('content.changed_meanwhile');
    await requireParent(db, piece, row);
    for (const going of all) await noteFound(db, going);
    for (const going of all) await writeReady(db, going.ready);
    for (const { ready } of all) if (ready.doc.kind === 'journey') await settleOutline(db, ready.key, ready.doc);
    const published = [];
    for (const { piece: part, row: before, heldBack } of all) {
      // Languages that are held back stay in the draft.
      const draft = heldBack.length > 0 ? before.draft : null;
      published.push(await settle(db, actor, { piece: part, row: before, draft, heldBack }));
    }
    const [first] = published;
    if (!first) throw new AppError('content.nothing_to_publish');
    if (row.academyId !== null) await joinAcademy(db, actor, { academyId: row.academyId, courseId: piece.key });
    return { ...first, heldBack: all[0]?.heldBack ?? [], published: all.length };
  });
  // The roles of the session name the courses of academies.
  if (row.academyId !== null) ctx.sessions.forget(actor.id);
  return done;
}

/** Prepares the piece and its unpublished parts. */
async function gather(ctx: Ctx, actor: UserViewer, piece: PieceKey, row: PieceRow, options: Options): Promise<Going[]> {
  const all = [await makeReady(ctx, actor, piece, row, options)];
  const doc = docOf(row);
  if (doc.kind === 'lesson' && !row.live) throw new AppError('content.parent_not_live');
  const begun =
    doc.kind === 'journey' || (doc.kind === 'course' && options.withParts)
      ? (await findParts(ctx.db, piece)).filter((part) => part.state === 'draft')
      : [];
  const placed = doc.kind === 'journey' ? new Set(doc.sections.flatMap((section) => section.lessons)) : undefined;
  for (const part of begun) {
    if (placed && !placed.has(part.key)) continue;
    const partRow = await openPiece(ctx.db, part);
    all.push(...(await gatherPart(ctx, actor, part, partRow, options)));
  }
  return all;
}

async function gatherPart(
  ctx: Ctx,
  actor: UserViewer,
  part: PieceKey,
  row: PieceRow,
  options: Options,
): Promise<Going[]> {
  return part.kind === 'journey'
    ? await gather(ctx, actor, part, row, options)
    : [await makeReady(ctx, actor, part, row, options)];
}

async function makeReady(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  row: PieceRow,
  options: Options,
): Promise<Going> {
  if (row.isBarred && !isAdministrator(actor)) throw new AppError('content.barred');
  const whole = docOf(row);
  // The draft may hold what an administrator has not decided to publish yet.
  if (!isAdministrator(actor) && !isAccessKept(liveOf(row), whole)) throw new AppError('content.access_fields');
  const findings = await findFindings(ctx, actor, whole, { bank: await bankAround(ctx.db, piece, row) });
  const heldBack = [...new Set(findings.flatMap(({ severity, locale }) => (severity === 'must' ? locale : [])))];
  if (heldBack.length > 0 && !options.holdBack)
    throw new AppError('content.not_accessible', { message: `${whole.slug}: ${heldBack.join(', ')}` });
  const doc = withoutHeld(whole, liveOf(row), heldBack);
  if (needsText(doc) && Object.keys(bodyOf(doc)).length === 0)
    throw heldBack.length > 0
      ? new AppError('content.not_accessible', { message: `${whole.slug}: ${heldBack.join(', ')}` })
      : invalid('body', 'Text is required');
  requireSchedule(doc);
  const ready: GoingLive = {
    ...piece,
    entryId: row.entryId,
    parent: row.parent,
    position: row.position,
    ownId: row.ownId,
    doc,
    rendered: await renderPiece(ctx.files, doc),
    userId: actor.id,
  };
  return { row, piece, ready, heldBack };
}

/** Replaces texts in held-back languages with the published ones, or omits them. */
function withoutHeld(doc: StoredDoc, live: StoredDoc | undefined, held: readonly Locale[]): StoredDoc {
  if (isEditorialKind(doc.kind)) return withoutHeldParts(doc, live, held);
  if (!('body' in doc) || held.length === 0) return doc;
  const body = { ...doc.body };
  for (const locale of held) {
    const before = live && bodyOf(live)[locale];
    if (before === undefined) delete body[locale];
    else body[locale] = before;
  }
  return { ...doc, body };
}

function withoutHeldParts(doc: StoredDoc, live: StoredDoc | undefined, held: readonly Locale[]): StoredDoc {
  const texts = { ...doc } as Record<string, unknown>; // its parts are texts by language
  const before = (live ?? {}) as Record<string, unknown>; // likewise
  for (const part of isEditorialKind(doc.kind) ? partNames(doc.kind) : []) {
    const own = { ...(texts[part] as LocalizedText) };
    for (const locale of held) {
      const kept = (before[part] as LocalizedText | undefined)?.[locale];
      if (kept === undefined) delete own[locale];
      else own[locale] = kept;
    }
    texts[part] = own;
  }
  return texts as StoredDoc; // the same fields
}

const needsText = (doc: StoredDoc) =>
  ('body' in doc && doc.kind !== 'course') || (isEditorialKind(doc.kind) && partNames(doc.kind).length > 0);

async function requireParent(db: Db, { kind }: PieceKey, row: PieceRow): Promise<void> {
  if (kind !== 'journey' || row.parent === null) return;
  const course = await openPiece(db, { kind: 'course', key: row.parent });
  if (!course.live) throw new AppError('content.parent_not_live');
}

/** Stores the published state as a version if an import, not an author, has published it. */
export async function noteFound(db: Db, { piece, row }: Pick<Going, 'piece' | 'row'>): Promise<void> {
  const live = liveOf(row);
  if (!live || (row.last && isSame(live, row.last.doc))) return;
  row.lastNumber += 1;
  const { entryId, parent, version } = row;
  if (version === 0) await pieces.insertPiece(db, { ...piece, entryId, parent });
  await versions.insertVersion(db, {
    ...piece,
    number: row.lastNumber,
    source: 'import',
    doc: settled(live),
    userId: null,
  });
}

/** Writes the catalogue rows; 409 if the address is taken. */
export async function writeReady(db: Db, ready: GoingLive): Promise<void> {
  try {
    await inTransaction(db, async (trx) => await writeLive(trx, ready));
  } catch (error) {
    const { code } = error as { code?: unknown }; // errors of PostgreSQL have a code
    if (code === '23505') throw new AppError('content.address_taken', {}, { cause: error });
    throw error;
  }
}

/** Stores the new published state as a version, and what remains as the draft. */
export async function settle(
  db: Db,
  actor: UserViewer,
  { piece, row, draft, heldBack }: Omit<Going, 'ready'> & { draft: StoredDoc | null },
): Promise<{ version: number; number: number }> {
  const after = await openPiece(db, piece);
  const live = liveOf(after);
  if (!live) throw new Error('The piece is not published after publishing');
  const version = await keep(db, actor, piece, after, draft, after.version);
  await order.putBarred(db, piece, false);
  const number = row.lastNumber + 1;
  await versions.insertVersion(db, { ...piece, number, source: 'authoring', doc: settled(live), userId: actor.id });
  await recordAction(db, actor, {
    action: 'content.publish-piece',
    object: piece.key,
    detail: { kind: piece.kind, number, heldBack },
  });
  return { version, number };
}

/**
 * Withdraws a piece. Learners' records stay, and publishing shows it again. What an administrator withdrew, also after
 * somebody else did, only administrators publish again.
 */
export async function withdrawPiece(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  { version }: { version: number },
): Promise<{ version: number }> {
  return await inTransaction(ctx.db, async (db) => {
    await store.lockImport(db);
    const row = await openToChange(db, actor, piece, 'publish-content');
    if (row.version !== version) throw new AppError('content.changed_meanwhile');
    const bars = isAdministrator(actor) && !row.isBarred;
    if (!row.live || !(row.isShown || bars)) throw new AppError('content.not_live');
    if (piece.kind === 'journey') await journeyStore.withdrawRows(db, 'journeys', [piece.key]);
    if (piece.kind === 'lesson') await journeyStore.withdrawRows(db, 'lessons', [piece.key]);
    else await entryStore.withdrawEntries(db, [row.entryId]);
    const next = await keep(db, actor, piece, row, row.draft, version);
    await order.putBarred(db, piece, isAdministrator(actor));
    await recordAction(db, actor, {
      action: 'content.withdraw-piece',
      object: piece.key,
      detail: row.isShown ? { kind: piece.kind } : { kind: piece.kind, isBarred: true },
    });
    return { version: next };
  });
}

/** Discards a draft and stores it as a version. */
export async function discardDraft(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  { version }: { version: number },
): Promise<{ version: number }> {
  return await inTransaction(ctx.db, async (db) => {
    const row = await openToChange(db, actor, piece, 'edit-content');
    if (row.version !== version) throw new AppError('content.changed_meanwhile');
    if (!row.live || !row.draft) throw new AppError('content.not_live');
    const next = await keep(db, actor, piece, row, null, version);
    const number = row.lastNumber + 1;
    await versions.insertVersion(db, { ...piece, number, source: 'draft', doc: row.draft, userId: actor.id });
    await versions.deleteOldDrafts(db, piece);
    await recordAction(db, actor, {
      action: 'content.discard-draft',
      object: piece.key,
      detail: { kind: piece.kind, number },
    });
    return { version: next };
  });
}
