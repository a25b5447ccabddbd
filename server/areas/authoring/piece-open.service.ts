import type { Piece } from '@officium/contract/authoring';
import type { Capability } from '@officium/contract/capabilities';
import { capabilitiesIn, INSTALLATION, requireAlso, type RolePlace } from '#server/access/roles.ts';
import { withCurrentRoles } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { type PieceKey, type StoredDoc, usedImages } from './piece.policy.ts';
import * as pieces from './piece.repository.ts';
import type { PieceRow } from './piece.repository.ts';

/** Returns the working state: the draft, else the published state. */
export function docOf(row: PieceRow): StoredDoc {
  return row.draft ?? liveOf(row) ?? fail();
}

/** Returns the published state with the pictures it uses. */
export function liveOf({ live, assets, files }: PieceRow): StoredDoc | undefined {
  if (!live) return undefined;
  const doc = { ...live, bodyFiles: files };
  return { ...doc, images: usedImages(doc, assets) };
}

function fail(): never {
  throw new Error('A piece has neither a published state nor a draft');
}

export async function openPiece(db: Db, piece: PieceKey): Promise<PieceRow> {
  const row = await pieces.getPiece(db, piece);
  if (!row || (!row.live && !row.draft)) throw notFound();
  return row;
}

/**
 * The place whose roles count for a piece: its academy, or its course, or the academy in which that course was begun
 * while it is a draft. All other content belongs to administrators.
 */
export function placeOf({ kind, key }: PieceKey, { courseId, academyId }: PieceRow): RolePlace {
  if (kind === 'academy') return { kind: 'academy', id: key };
  if (academyId !== null) return { kind: 'academy', id: academyId };
  return courseId === null ? INSTALLATION : { kind: 'course', id: courseId };
}

/** Opens a piece that the viewer may read; throws 404 for others, and 403 without the capability. */
export async function openAs(
  db: Db,
  viewer: UserViewer,
  piece: PieceKey,
  capability: Capability = 'read-content',
): Promise<PieceRow> {
  const row = await openPiece(db, piece);
  requireAlso(viewer, ['read-content', capability], placeOf(piece, row));
  return row;
}

/** Opens a piece in a transaction that changes it, with the roles that the viewer holds now. */
export async function openToChange(
  trx: Db,
  viewer: UserViewer,
  piece: PieceKey,
  capability: Capability,
): Promise<PieceRow> {
  return await openAs(trx, await withCurrentRoles(trx, viewer), piece, capability);
}

/** Returns the capabilities of the viewer's roles for a piece; undefined for administrators. */
export function rightsOn(viewer: UserViewer, piece: PieceKey, row: PieceRow): Piece['capabilities'] {
  return capabilitiesIn(viewer, placeOf(piece, row));
}
