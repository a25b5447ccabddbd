import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Addresses of mail stand in some paths. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]?.replace(/[^/@]+(@|%40)[^/]+/gi, '<address>') ?? '';
}

/**
 * One line for each request, when it is answered: never its query or headers, for tokens travel there. Calls that
 * pages make to the API in process are told with `debug`, for the page has a line of its own.
 */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (this.isLogDisabled(request)) return;
    const level = error
      ? 'error'
      : request.server.server.listening && !request.raw.socket.remotePort
        ? 'debug'
        : 'info';
    if (!(request.log as Logger).isLevelEnabled(level)) return;
    request.log[level](
      {
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(error ? { err: error } : {}),
      },
      'request',
    );
  }
}
