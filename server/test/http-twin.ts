import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf } from './process.ts';

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a local twin of an outside HTTP service. `handle` gets each request with its whole body. */
export async function startTwin(handle: Handle): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => handle(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Responds with a body of 50 MB. */
export function sendHuge(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  let sent = 0;
  const more = () => {
    while (sent < 50) {
      sent += 1;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}
