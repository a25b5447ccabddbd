import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/errors.ts';
import { MAX_PICTURE_BYTES } from '#server/outside/picture.ts';
import { sendError } from './errors.ts';

/** Prepares routes for forms with one picture, the file `file`. Any other body is refused as a bad picture. */
export async function acceptPictures(forms: FastifyInstance): Promise<void> {
  await acceptOneFile(forms, MAX_PICTURE_BYTES, 'assets.bad_image');
}

/** Prepares routes for forms with one file of at most `bytes`, which is held in memory. `refusal` is that of any other body. */
export async function acceptOneFile(
  forms: FastifyInstance,
  bytes: number,
  refusal: 'assets.bad_image' | 'content.file_missing',
): Promise<void> {
  forms.removeAllContentTypeParsers();
  await forms.register(multipart, {
    limits: { fileSize: bytes, files: 1, fields: 0, parts: 1, headerPairs: 20 },
  });
  forms.setErrorHandler(async (error: FastifyError, request, reply) => {
    const isType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    return await sendError(isType ? new AppError(refusal) : error, request, reply);
  });
  // Other content types are not read; the handler then refuses them.
  forms.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * Reads the single part, a file named `file`. Undefined for any other form, and for a broken or too large one. `admit`
 * runs after the head of the part and before its content is held in memory; its errors are thrown.
 */
export async function readPicture(
  request: FastifyRequest,
  admit: () => Promise<void> = async () => {},
): Promise<Buffer | undefined> {
  if (!request.isMultipart()) return undefined;
  const parts = request.parts();
  const first = await parts.next().catch(() => undefined); // malformed
  const part = first?.value as Multipart | undefined; // the generator's return type is any
  if (part?.type !== 'file' || part.fieldname !== 'file') return undefined;
  await admit();
  try {
    const file = await part.toBuffer();
    return (await parts.next()).done ? file : undefined;
  } catch {
    return undefined;
  }
}
