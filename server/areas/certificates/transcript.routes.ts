import { Readable } from 'node:stream';
import * as contract from '@officium/contract/transcripts';
import type { FastifyInstance } from 'fastify';
import { administrators, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { FileReply } from '#server/http/replies.ts';
import { drawTranscript, readTranscript } from './transcript.service.ts';

/** Drawing takes about as long as a hundred reads. */
const DRAWING_LIMIT = { max: 20, windowSeconds: 60 };

const fileOf = (content: Buffer) =>
  new FileReply({ content: Readable.from([content]), bytes: content.length, name: 'transcript.pdf' });

export function transcriptRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.readMyTranscript, {
    policy: people,
    handle: async ({ ctx, viewer, locale }) => await readTranscript(ctx, viewer, { userId: viewer.id, locale }),
  });
  implement(app, root, contract.downloadMyTranscript, {
    policy: people,
    limitByAccount: DRAWING_LIMIT,
    handle: async ({ ctx, viewer, locale }) => fileOf(await drawTranscript(ctx, viewer, { userId: viewer.id, locale })),
  });
  implement(app, root, contract.readTranscript, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, locale }) => await readTranscript(ctx, viewer, { userId: params.id, locale }),
  });
  implement(app, root, contract.downloadTranscript, {
    policy: administrators,
    limitByAccount: DRAWING_LIMIT,
    handle: async ({ ctx, viewer, params, locale }) =>
      fileOf(await drawTranscript(ctx, viewer, { userId: params.id, locale })),
  });
}
