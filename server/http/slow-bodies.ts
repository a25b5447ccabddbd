import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const USUAL_MS = 30_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Closes the connection of a request whose body takes longer than this. Node's own limit is one for the whole server,
 * and an upload of a recording takes minutes.
 */
export function limitSlowBodies(app: FastifyInstance, ms: number = USUAL_MS): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (!raw.complete && hasBody(raw)) {
      const timer = setTimeout(() => raw.destroy(new Error('The request body took too long')), ms);
      timer.unref();
      timers.set(raw, timer);
      const clear = () => clearTimeout(timer);
      raw.once('end', clear).once('close', clear);
    }
    done();
  });
}

/** Lifts the limit for a caller who may send large files. A connection that falls silent is still closed. */
export function allowSlowBody({ raw }: FastifyRequest): void {
  clearTimeout(timers.get(raw));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
