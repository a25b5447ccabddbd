import { type Piece, readPiece } from '@officium/contract/authoring';
import type { Api } from '../../server/api.ts';

export type NamedPart = Pick<Piece, 'kind' | 'key'> & { title: Piece['doc']['title'] };
export type FoundInPart = Piece['findings'][number] & { piece: NamedPart };

/** Loads the unpublished journeys of a course that nobody joins without an invitation. */
export async function readClosedJourneys(api: Api, { parts }: Pick<Piece, 'parts'>): Promise<NamedPart[]> {
  const closed: NamedPart[] = [];
  for (const { kind, key, state } of parts) {
    if (kind !== 'journey' || state !== 'draft') continue;
    const { doc } = await api(readPiece, { params: { kind, key } });
    if (doc.kind === 'journey' && doc.privacy.startsWith('closed')) closed.push({ kind, key, title: doc.title });
  }
  return closed;
}

/** Loads the findings that keep the unpublished parts of a piece from being published with it. */
export async function readPartFindings(api: Api, { parts }: Pick<Piece, 'parts'>): Promise<FoundInPart[]> {
  const found: FoundInPart[] = [];
  // Sequential, so that a large course does not take all connections.
  for (const { kind, key } of parts.filter(({ state }) => state === 'draft')) {
    const part = await api(readPiece, { params: { kind, key } });
    const piece = { kind, key, title: part.doc.title };
    found.push(...part.findings.filter(({ severity }) => severity === 'must').map((one) => ({ ...one, piece })));
    if (kind === 'journey') found.push(...(await readPartFindings(api, part)));
  }
  return found;
}
