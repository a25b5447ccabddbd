import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import { bareHeaders } from './bare-headers.ts';
import { errorBody } from './errors.ts';

/** Node's own mark of an answer that has begun, which it checks before its default answer. */
type Answering = Socket & { _httpMessage?: ServerResponse | null };

/** Answers a request that Node could not parse, which no hook or handler sees, and closes the connection. */
export function refuseUnreadable(
  error: Error & { code?: string },
  { socket, secure }: { socket: Socket; secure: boolean },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  // A request refused before its body was read has its answer already.
  if ((socket as Answering)._httpMessage?.headersSent) {
    socket.destroySoon();
    return;
  }
  const refusal = new AppError(error.code === 'HPE_HEADER_OVERFLOW' ? 'request.too_large' : 'request.malformed');
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...Object.entries(bareHeaders(requestId, { secure })).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
