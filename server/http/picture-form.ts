import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/errors.ts';
import { MAX_PICTURE_BYTES } from '#server/outside/picture.ts';
import { sendError } from './errors.ts';

/** Prepares routes for forms with one picture, the file `file`. Any other body is refused as a bad picture. */
export async function acceptPictures(forms: FastifyInstance): Promise<void> {
  forms.removeAllContentTypeParsers();
  await forms.register(multipart, {
    limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 0, parts: 1, headerPairs: 20 },
  });
  // An unsupported content type gets the same error as a bad picture.
  forms.setErrorHandler(async (error: FastifyError, request, reply) => {
    const isType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    return await sendError(isType ? new AppError('assets.bad_image') : error, request, reply);
  });
  // Other content types are not read; the handler then refuses them as a bad picture.
  forms.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Reads the single part, a file named `file`. Undefined for any other form, and for a broken or too large one. */
export async function readPicture(request: FastifyRequest): Promise<Buffer | undefined> {
  if (!request.isMultipart()) return undefined;
  let file: Buffer | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file' || part.fieldname !== 'file') return undefined;
      file = await part.toBuffer();
    }
  } catch {
    return undefined;
  }
  return file;
}
