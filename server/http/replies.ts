import type { Readable } from 'node:stream';
import type { Endpoint } from '@officium/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** JSON text made elsewhere (in the database, say), sent as it is. The maker answers for its shape. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON that is the same for everybody who is not signed in, remembered as it is sent; `etag` names exactly this body. */
export class SharedJson {
  readonly body: Buffer;
  readonly etag: string;
  constructor({ body, etag }: { body: Buffer; etag: string }) {
    this.body = body;
    this.etag = etag;
  }
}

/** A file, streamed; for operations that declare a `download`. Its size is left out where it is made while it is sent. */
export class FileReply {
  readonly file: { content: Readable; bytes?: number; name: string };
  constructor(file: { content: Readable; bytes?: number; name: string }) {
    this.file = file;
  }
}

/** Whoever has the body already is told so. It depends on who asks and in which language, so no cache keeps it for others. */
export function sendShared(request: FastifyRequest, reply: FastifyReply, { body, etag }: SharedJson): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  const held = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (held?.includes(etag)) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

/** JSON Schema of a reply, in the dialect the serializer is compiled from. */
export function replySchemas(endpoint: Endpoint): Record<number, unknown> {
  const schemas: Record<number, unknown> = {};
  for (const [status, schema] of Object.entries(endpoint.replies)) {
    if (schema === null) continue;
    const json = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io: 'output',
      unrepresentable: 'any',
      reused: 'inline',
    });
    schemas[Number(status)] = json;
  }
  return schemas;
}
