import type { Readable } from 'node:stream';
import type { Endpoint } from '@officium/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** JSON text from a view, sent unchanged; its producer is responsible for the shape. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON that all anonymous viewers share, cached as bytes; `etag` identifies exactly this body. */
export class SharedJson {
  readonly body: Buffer;
  readonly etag: string;
  constructor({ body, etag }: { body: Buffer; etag: string }) {
    this.body = body;
    this.etag = etag;
  }
}

/**
 * A file, streamed, for operations that declare a `download`. The size is left out when it is generated while sending.
 */
export class FileReply {
  readonly file: { content: Readable; bytes?: number; name: string };
  constructor(file: { content: Readable; bytes?: number; name: string }) {
    this.file = file;
  }
}

/**
 * Answers 304 to a client that has the body. The answer depends on viewer and language, so shared caches must not store
 * it.
 */
function sendShared(request: FastifyRequest, reply: FastifyReply, { body, etag }: SharedJson): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  const held = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (held?.includes(etag)) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

/** Sends the reply of an operation; plain values go through the serializer compiled from the contract. */
export function sendResult(
  endpoint: Endpoint,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  result: unknown,
): FastifyReply {
  if (result instanceof JsonText) {
    reply.header('content-type', 'application/json; charset=utf-8');
    return reply.serializer((text: string) => text).send(result.text);
  }
  if (result instanceof SharedJson) return sendShared(request, reply, result);
  if (result instanceof FileReply) {
    const { content, bytes, name } = result.file;
    if (bytes !== undefined) reply.header('content-length', bytes);
    return reply
      .header('content-type', endpoint.download)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('x-content-type-options', 'nosniff')
      .send(content);
  }
  if (result === undefined || result === null) return reply.send();
  return reply.send(result);
}

/** The replies of an operation that have a body. */
export function replySchemas({ replies }: Endpoint): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(replies).filter((reply): reply is [string, z.ZodType] => reply[1] !== null));
}

/** The JSON Schema of a reply, in the dialect of the serializer's compiler. */
export function jsonSchemaOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'output', unrepresentable: 'any', reused: 'inline' });
}
