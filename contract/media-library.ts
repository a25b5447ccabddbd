import { z } from 'zod';
import { MEDIA_KINDS, PIECE_KINDS } from './authoring.ts';
import { booleanParam, limitParam, LocaleCode, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';

export const LIBRARY_KINDS = ['picture', ...MEDIA_KINDS] as const;

/** The pieces that are named for one file; `pieceCount` counts them all. */
export const MAX_PIECES_A_FILE = 10;

const LibraryPiece = z.object({
  kind: z.enum(PIECE_KINDS),
  key: z.string(),
  slug: z.string(),
  title: z.partialRecord(LocaleCode, z.string()),
  isEarlier: z.boolean().describe('Only an earlier version has the file'),
});

const LibraryFile = z.object({
  key: z.string().describe('The file part of its address: the hash of its content and its extension'),
  name: z.string().nullable().describe('Its path in a content folder; null: no text names it'),
  url: z.string().describe('Works for two days; that of a picture always'),
  kind: z.enum(LIBRARY_KINDS),
  extension: z.string(),
  bytes: z.int(),
  uploadedBy: z.string().nullable().describe('Who uploaded it first; null: an import, or a deleted account'),
  storedAt: Timestamp.describe('The last upload or import of the same content'),
  isUnused: z.boolean().describe('Nothing names it, so it is deleted some days after `storedAt`'),
  isOfSite: z.boolean().describe('A logo or a picture of certificates'),
  pieces: z.array(LibraryPiece).describe(`The first ${MAX_PIECES_A_FILE} by title, of those that the caller may edit`),
  pieceCount: z.int(),
});

export const listMedia = endpoint({
  name: 'listMedia',
  service: 'content',
  method: 'GET',
  path: '/authoring/media',
  auth: 'admin',
  capability: 'edit-content',
  extension: true,
  summary: 'List the pictures, recordings and files of content, newest first',
  description:
    'Callers with a role see only files of pieces that they may edit. Pictures of posts, discussions and articles are never listed. `continuationToken` continues after the last file of a page with the same query; an invalid token is 400.',
  query: z.object({
    kind: z.enum(LIBRARY_KINDS).optional(),
    unused: booleanParam.optional().describe('Only files that nothing names'),
    q: z.string().trim().max(200).optional().describe('Search in addresses and names of files and in titles of pieces'),
    limit: limitParam(50),
    continuationToken: z.string().max(2000, 'The continuation token is not valid').optional(),
  }),
  replies: { 200: z.object({ files: z.array(LibraryFile), continuationToken: z.string().optional() }) },
});
