import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A request that is in transit when the shutdown begins arrives within this time. */
const GRACE_MS = 500;

/**
 * Ends connections without a running request when the app closes. Browsers open them ahead of need, and Node.js counts
 * a connection that has sent nothing as busy: one of them would delay the shutdown until the process is killed.
 */
export function endSilentConnections(app: FastifyInstance): void {
  const answering = new Map<Socket, number>();
  app.server.on('connection', (socket: Socket) => {
    answering.set(socket, 0);
    socket.once('close', () => answering.delete(socket));
  });
  app.server.on('request', ({ socket }, reply) => {
    count(socket, 1);
    reply.once('close', () => count(socket, -1));
  });
  function count(socket: Socket, change: number): void {
    const requests = answering.get(socket);
    if (requests !== undefined) answering.set(socket, requests + change);
  }
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => {
      for (const [socket, requests] of answering) if (requests === 0) socket.destroy();
    }, GRACE_MS);
    app.server.once('close', () => clearInterval(timer));
    if (!app.server.listening) clearInterval(timer);
    done();
  });
}
