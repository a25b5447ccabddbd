import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

const MAX_LENGTH = 500;

/** The path of a URL as the log shows it: without e-mail addresses, and cut. Takes linear time, as it runs for everybody. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const shown = path
    .split('/')
    .map((segment) => (/@|%40/.test(segment) ? '<address>' : segment))
    .join('/');
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/**
 * One line per answered request, without query and headers, which may contain tokens. In-process calls of pages are
 * logged as `debug`, since the page has its own line.
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
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(error ? { err: error } : {}),
      },
      'request',
    );
  }
}
