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
    if (!raw.complete && hasBody(raw)) closeAfter(raw, ms);
    done();
  });
}

/**
 * Gives the body of a permitted caller `ms` from now, or lifts the limit without it: large files are streamed, and a
 * connection that falls silent is still closed.
 */
export function allowSlowBody({ raw }: FastifyRequest, ms?: number): void {
  clearTimeout(timers.get(raw));
  if (ms !== undefined && !raw.complete && hasBody(raw)) closeAfter(raw, ms);
}

function closeAfter(raw: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => raw.destroy(new Error('The request body took too long')), ms);
  timer.unref();
  timers.set(raw, timer);
  const clear = () => clearTimeout(timer);
  raw.once('end', clear).once('close', clear);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
