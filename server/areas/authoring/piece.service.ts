import { isDeepStrictEqual } from 'node:util';
import type {
  createPiece as Create,
  Piece,
  PieceKind,
  previewPiece as Preview,
  savePiece as Save,
} from '@officium/contract/authoring';
import { PieceDoc } from '@officium/contract/authoring';
import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { withCurrentRoles } from '#server/access/sessions.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction, newId } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { slugFrom } from '#server/text/slug.ts';
import { hasPage, isEditorialKind } from '#server/areas/catalogue/editorial.policy.ts';
import { EntryIds, fitsEntry, prefixedId } from '#server/areas/catalogue/entry-ids.policy.ts';
import { findEntryTypes } from '#server/areas/importing/import-entry.repository.ts';
import { bodyOf, changedLocales, ENTRY_TYPES, isPicture, type PieceKey, type StoredDoc } from './piece.policy.ts';
import { changesOnlyTranslations, keepsAccess } from './piece-change.policy.ts';
import { docOf, liveOf, openAs, openPiece, openToChange, rightsOn } from './piece-open.service.ts';
import { checkSchedule, findDeadLink } from './editorial-live.service.ts';
import { toPieceFile } from './piece-file.view.ts';
import * as pieces from './piece.repository.ts';
import * as entryRows from './piece-entry.repository.ts';
import type { PieceRow } from './piece.repository.ts';
import { bankAround } from './question-bank.service.ts';
import { findFindings } from './piece-findings.service.ts';
import * as lists from './piece-part.repository.ts';
import { renderPreview } from './piece-pages.service.ts';
import { sourceLocaleOf, toPiece, toPreview } from './piece.view.ts';
import { addProduct } from '#server/areas/catalogue/product.service.ts';
import { signMedia } from '#server/areas/catalogue/media-access.policy.ts';

export async function readPiece(ctx: Ctx, viewer: UserViewer, piece: PieceKey): Promise<Piece> {
  const row = await openAs(ctx.db, viewer, piece);
  const capabilities = rightsOn(viewer, piece, row);
  const [parts, parents, courses] = await Promise.all([
    lists.findParts(ctx.db, piece),
    lists.findParents(ctx.db, piece, row.parent),
    piece.kind === 'academy' ? coursesFor(ctx.db, piece.key, capabilities === undefined) : [],
  ]);
  const files = docOf(row)
    .images.filter((image) => !isPicture(image))
    .map((image) => toPieceFile(image, ctx.seal.hash, ctx.clock.now()));
  const shown = toPiece(piece, row, docOf(row), liveOf(row), {
    parts,
    parents,
    courses,
    files,
    maxFileBytes: ctx.config.maxMediaBytes,
    findings: await findFindings(ctx, viewer, docOf(row), {
      source: sourceLocaleOf(row),
      bank: await bankAround(ctx.db, piece, row),
    }),
  });
  return { ...shown, capabilities };
}

/** Administrators choose among all courses; others see those of the academy. */
async function coursesFor(db: Db, academyId: string, isAll: boolean): Promise<lists.PartRow[]> {
  return isAll ? await lists.findAllCourses(db) : await lists.findCoursesOf(db, academyId);
}

/** Creates a piece with its entry, product and draft. */
export async function createPiece(
  ctx: Ctx,
  actor: UserViewer,
  input: InputOf<typeof Create>['body'],
): Promise<ReplyOf<typeof Create>> {
  const { kind, title, sourceLocale, slug = slugOfTitle(title) } = input;
  return await inTransaction(ctx.db, async (db) => {
    const above = await parentOf(db, actor, input);
    const academyId = above?.kind === 'academy' ? above.key : undefined;
    const parent = academyId === undefined ? (above?.key ?? null) : null;
    if (await pieces.isSlugTaken(db, { kind, key: '', parent, slug })) throw new AppError('content.address_taken');
    const entryId = kind === 'lesson' ? (above?.row.entryId ?? '') : await giveEntry(db, kind, slug, parent);
    const key = kind === 'journey' || kind === 'lesson' ? newId() : entryId;
    const draft = { ...PieceDoc.parse({ kind, slug, title: { [sourceLocale]: title } }), images: [], bodyFiles: {} };
    const write = { kind, key, entryId, parent, academyId, version: 0, draft, sourceLocale, changed: [sourceLocale] };
    const version = await pieces.putPiece(db, { ...write, userId: actor.id });
    if (version === undefined) throw new AppError('content.changed_meanwhile');
    if (kind === 'lesson' && above) await placeNew(db, actor, { ...above, lesson: key, section: input.section });
    await recordAction(db, actor, { action: 'content.create-piece', object: key, detail: { kind, slug } });
    return { kind, key, version };
  });
}

const MAX_SLUG = 128;

function slugOfTitle(title: string): string {
  const slug = slugFrom(title, MAX_SLUG);
  if (slug === '') throw invalid('slug', 'The title has no letters or digits, so an address is required');
  return slug;
}

type Above = PieceKey & { row: PieceRow };

const PARENTS = { course: 'academy', journey: 'course', lesson: 'journey' } as const;
const hasParent = (kind: PieceKind): kind is keyof typeof PARENTS => kind in PARENTS;

/** The piece above a new one. Whatever has none is created by administrators. */
async function parentOf(
  db: Db,
  actor: UserViewer,
  { kind, parent }: InputOf<typeof Create>['body'],
): Promise<Above | undefined> {
  if (!hasParent(kind) || (kind === 'course' && parent === undefined)) {
    if (!isAdministrator(actor)) throw new AppError('auth.forbidden');
    return undefined;
  }
  if (parent === undefined) throw invalid('parent', 'Parent is required');
  const above = { kind: PARENTS[kind], key: parent };
  const row = await openToChange(db, actor, above, 'edit-content');
  if (kind === 'course' && !row.live) throw new AppError('content.parent_not_live');
  if (kind !== 'lesson') return { ...above, row };
  // A lesson uses the pictures of its course.
  const course = row.parent ?? '';
  return { ...above, row: { ...row, entryId: course } };
}

/** Creates an entry with an unused id, derived from the slug like in an import. */
async function giveEntry(db: Db, kind: keyof typeof ENTRY_TYPES, slug: string, parent: string | null): Promise<string> {
  const contentType = ENTRY_TYPES[kind];
  const own = parent === null ? slug : prefixedId(parent, slug);
  const wanted = [slug, own, prefixedId(contentType, own), prefixedId(contentType, newId())].filter(fitsEntry);
  const taken = await findEntryTypes(db, wanted);
  const ids = new EntryIds(new Map());
  const id = ids.give(
    contentType,
    wanted.filter((candidate) => !taken.has(candidate)),
  );
  await entryRows.insertEntry(db, { id, contentType });
  if (!isEditorialKind(kind) || hasPage(kind)) await addProduct(db, id);
  return id;
}

async function placeNew(
  db: Db,
  actor: UserViewer,
  { row, kind, key, lesson, section }: Above & { lesson: string; section: number },
): Promise<void> {
  const doc = docOf(row);
  if (doc.kind !== 'journey') throw notFound();
  const sections = doc.sections.length > 0 ? doc.sections : [{ heading: doc.title, lessons: [] }];
  const at = Math.min(section, sections.length - 1);
  const placed = sections.map((each, index) => (index === at ? { ...each, lessons: [...each.lessons, lesson] } : each));
  // `row.entryId` is the course's entry, so the journey is read again for its own entry.
  const own = await openPiece(db, { kind, key });
  await keep(db, actor, { kind, key }, own, { ...doc, sections: placed }, own.version);
}

/** Stores a draft and returns the new version; throws when the edit is based on another version. */
export async function keep(
  db: Db,
  actor: UserViewer,
  { kind, key }: PieceKey,
  row: PieceRow,
  draft: StoredDoc | null,
  version: number,
  sourceLocale: Locale = sourceLocaleOf(row),
): Promise<number> {
  const changed = draft ? changedLocales(docOf(row), draft) : [];
  const { entryId, parent } = row;
  const write = { kind, key, entryId, parent, version, draft, sourceLocale, changed, userId: actor.id };
  const next = row.version === version ? await pieces.putPiece(db, write) : undefined;
  if (next === undefined) throw new AppError('content.changed_meanwhile');
  return next;
}

export async function savePiece(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  { version, doc, sourceLocale }: InputOf<typeof Save>['body'],
): Promise<{ version: number }> {
  if (doc.kind !== piece.kind) throw invalid('doc.kind', `Must be ${piece.kind}`);
  return await inTransaction(ctx.db, async (db) => {
    const current = await withCurrentRoles(db, actor);
    const row = await openAs(db, current, piece, 'translate-content');
    if (row.version !== version) throw new AppError('content.changed_meanwhile');
    requireMayChange(rightsOn(current, piece, row), row, { doc, sourceLocale });
    const isMoved = doc.slug !== docOf(row).slug;
    if (isMoved && (await pieces.isSlugTaken(db, { ...piece, parent: row.parent, slug: doc.slug })))
      throw new AppError('content.address_taken');
    if (doc.kind === 'journey') await checkOutline(db, piece, doc);
    if ('items' in doc) await checkLinks(db, doc.items);
    if (doc.kind === 'event') await checkSchedule(db, doc);
    const { images, bodyFiles } = docOf(row);
    if ('cover' in doc && doc.cover !== null && !images.some((image) => image.path === doc.cover && isPicture(image)))
      throw invalid('doc.cover', 'Must be one of its pictures');
    const draft: StoredDoc = { ...doc, images, bodyFiles };
    // Saving an unchanged form is not a change.
    if (isDeepStrictEqual(docOf(row), draft) && (sourceLocale ?? sourceLocaleOf(row)) === sourceLocaleOf(row))
      return { version };
    const next = await keep(db, actor, piece, row, draft, version, sourceLocale);
    await recordAction(db, actor, {
      action: 'content.save-piece',
      object: piece.key,
      detail: { kind: piece.kind, version: next },
    });
    return { version: next };
  });
}

/** Throws 403 when a change is beyond the viewer's role. */
function requireMayChange(
  capabilities: Piece['capabilities'],
  row: PieceRow,
  { doc, sourceLocale = sourceLocaleOf(row) }: { doc: PieceDoc; sourceLocale: Locale | undefined },
): void {
  if (!capabilities) return;
  const { images: _images, bodyFiles: _files, ...before } = docOf(row);
  const source = sourceLocaleOf(row);
  const isTranslation = sourceLocale === source && changesOnlyTranslations(before as PieceDoc, doc, source); // likewise a document
  if (!capabilities.includes('edit-content') && !isTranslation) throw new AppError('content.translations_only');
  if (!keepsAccess(before as PieceDoc, doc)) throw new AppError('content.access_fields'); // likewise
}

async function checkOutline(db: Db, piece: PieceKey, doc: Extract<PieceDoc, { kind: 'journey' }>): Promise<void> {
  const own = new Set((await lists.findParts(db, piece)).map((part) => part.key));
  const seen = new Set<string>();
  for (const [at, { lessons }] of doc.sections.entries())
    for (const lesson of lessons) {
      if (!own.has(lesson) || seen.has(lesson))
        throw invalid(`doc.sections.${at}.lessons`, 'Must be lessons of this journey, each once');
      seen.add(lesson);
    }
}

async function checkLinks(db: Db, items: string[]): Promise<void> {
  const at = await findDeadLink(db, items);
  if (at !== undefined) throw invalid(`doc.items.${at}`, `Nothing has the address ${items[at]}`);
}

export async function previewPiece(
  ctx: Ctx,
  viewer: UserViewer,
  piece: PieceKey,
  locale: Locale,
): Promise<ReplyOf<typeof Preview>> {
  const row = await openAs(ctx.db, viewer, piece);
  const doc = docOf(row);
  const parts = await lists.findParts(ctx.db, piece);
  const written = Object.keys(bodyOf(doc)) as Locale[]; // keys of a LocalizedText
  const source = sourceLocaleOf(row);
  const shown = written.includes(locale) ? locale : written.includes(source) ? source : written[0];
  const rendered = shown && (await renderPreview(ctx.files, doc, shown));
  const text = { html: rendered?.bodies[0]?.html ?? '', keys: doc.images.map(({ key }) => key) };
  const html = rendered ? signMedia(ctx.seal.hash, text, ctx.clock.now()) : null;
  return toPreview(doc, parts, shown ?? locale, html);
}
