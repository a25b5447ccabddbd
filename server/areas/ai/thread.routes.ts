import { Readable } from 'node:stream';
import * as contract from '@officium/contract/ai';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { type AnswerEvent, askLesson, deleteThread, listThreads, streamAnswer } from './thread.service.ts';

export function threadRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.askLesson, {
    policy: people,
    ask: ({ ctx, viewer, locale, body }) => askLesson(ctx, viewer, { ...body, locale: body.locale ?? locale }),
  });
  implement(app, ctx, contract.streamAnswer, {
    policy: people,
    keyed: false, // a streamed reply cannot be stored for replay
    handle: async ({ ctx, viewer, locale, body, http }) => {
      const gone = new AbortController();
      const events = await streamAnswer(ctx, viewer, { ...body, locale: body.locale ?? locale }, gone.signal);
      http.header('content-type', 'text/event-stream; charset=utf-8');
      http.header('cache-control', 'no-store');
      http.header('x-accel-buffering', 'no');
      return streamOf(events, gone);
    },
  });
  implement(app, ctx, contract.listThreads, {
    policy: people,
    handle: ({ ctx, viewer, query }) => listThreads(ctx, viewer, query),
  });
  implement(app, ctx, contract.deleteThread, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => void (await deleteThread(ctx, viewer, params.threadId)),
  });
}

/**
 * Serialises the events. Aborts `gone` when the client disconnects, because the generator may be waiting for a
 * provider.
 */
function streamOf(events: AsyncGenerator<AnswerEvent, void, void>, gone: AbortController): Readable {
  const stream = new Readable({
    read() {},
    destroy(error, done) {
      gone.abort();
      done(error);
    },
  });
  void (async () => {
    for await (const { event, data } of events)
      if (!stream.destroyed) stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    stream.push(null);
  })();
  return stream;
}
