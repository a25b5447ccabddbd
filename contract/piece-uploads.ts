import { z } from 'zod';
import { PieceFile, PieceParams } from './authoring.ts';
import { Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** The size of all parts but the last; object stores accept no smaller ones. */
export const PART_BYTES = 5 * 1024 * 1024;
/** An upload without a new part for this long is deleted. */
export const UPLOAD_HOURS = 24;
/** One that has never received a part is deleted after this long. */
export const EMPTY_UPLOAD_HOURS = 1;
/** The unfinished uploads of a person. */
export const MAX_UPLOADS = 10;

export const pieceUploadErrors = {
  'content.part_damaged': {
    status: 400,
    message: 'The part has another size or digest than announced. Send it again.',
  },
  'content.upload_incomplete': { status: 409, message: 'Parts of the file are missing.' },
  'content.upload_damaged': { status: 409, message: 'The file changed while it was sent. Upload it again.' },
} as const;

const common = { service: 'content', auth: 'admin', extension: true, capability: 'edit-content' } as const;
const AT = '/authoring/{kind}/pieces/{key}/uploads';
const UploadParams = PieceParams.extend({ upload: Uuid });
const Digest = z.string().regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in lower-case hexadecimal');

export const openPieceUpload = endpoint({
  ...common,
  name: 'openPieceUpload',
  method: 'POST',
  path: AT,
  summary: 'Begin or continue the upload of a large file to a draft',
  description: `Reserves its space and answers the parts that have arrived. An upload of the same person to the same draft with the same name, size and time goes on where it stopped, from any process and after a restart. Send each part of ${PART_BYTES} bytes, the last may be shorter, in any order; then finish. Deleted ${UPLOAD_HOURS} hours after its last part, and ${EMPTY_UPLOAD_HOURS} hour after it was begun without any. A person may have ${MAX_UPLOADS} unfinished uploads; more are 429. Limited as \`uploadPieceFile\`, which stays for small files.`,
  params: PieceParams,
  body: z.strictObject({
    name: z.string().trim().min(1).max(255),
    bytes: z.int().min(1),
    modified: z
      .int()
      .min(0)
      .max(8_640_000_000_000_000)
      .default(0)
      .describe('When the file was last changed, in milliseconds'),
  }),
  replies: {
    201: z.object({
      id: Uuid,
      partBytes: z.int(),
      parts: z.int().describe('How many there are'),
      received: z.array(z.int()).describe('The numbers of those that have arrived, from 1'),
    }),
  },
  errors: ['request.not_found', 'content.file_too_large', 'content.quota_reached', 'content.storage_full'],
});

export const sendPieceUploadPart = endpoint({
  ...common,
  name: 'sendPieceUploadPart',
  method: 'POST',
  path: `${AT}/{upload}/parts/{number}`,
  summary: 'Send a part of an upload (multipart)',
  description: `One part named \`file\`. A part that has arrived is not stored again, so sending it twice is harmless. Anybody else's upload is 404.`,
  params: UploadParams.extend({ number: z.coerce.number().int().min(1).max(1000) }),
  query: z.object({ sha256: Digest.describe('The digest of the part') }),
  upload: 'file',
  replies: { 200: z.object({ received: z.int().describe('How many parts have arrived') }) },
  errors: ['request.not_found', 'content.file_missing', 'content.part_damaged'],
});

export const finishPieceUpload = endpoint({
  ...common,
  name: 'finishPieceUpload',
  method: 'POST',
  path: `${AT}/{upload}/file`,
  summary: 'Finish an upload and add the file to the draft',
  description:
    'Reads the whole stored file once: all parts must have their digests, and the content decides the type as in `uploadPieceFile`. Finishing twice answers the same file. A person finishes one upload at a time; others are 429 meanwhile. A damaged file or another type deletes the upload.',
  params: UploadParams,
  body: z.strictObject({ sha256: Digest.describe('The digest of the digests of all parts, as bytes in their order') }),
  replies: { 201: PieceFile.extend({ version: z.int() }) },
  errors: ['request.not_found', 'content.upload_incomplete', 'content.upload_damaged', 'content.file_type'],
});

export const cancelPieceUpload = endpoint({
  ...common,
  name: 'cancelPieceUpload',
  method: 'DELETE',
  path: `${AT}/{upload}`,
  summary: 'Give up an upload',
  description: 'Deletes what has arrived and frees its space. One that is being finished or has been is 404.',
  params: UploadParams,
  replies: { 204: null },
  errors: ['request.not_found'],
});
