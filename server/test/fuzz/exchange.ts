import { Agent, request as open } from 'node:http';
import { afterAll } from 'vitest';
import type { TestApp } from '../app.ts';
import { portOf } from '../process.ts';
import type { Request } from './requests.ts';

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  elapsedMs: number;
  /** CPU time of this process, over all threads. */
  cpuMs: number;
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a request over HTTP without normalising its URL. */
export async function exchange(port: number, { method, url, headers, body }: Request): Promise<Answer> {
  const begin = performance.now();
  const cpu = process.cpuUsage();
  return await new Promise((done, failed) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = open({ agent, port, host: '127.0.0.1', method, path: url, headers: { ...headers, ...length } });
    outgoing.on('error', failed);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => {
        const { user, system } = process.cpuUsage(cpu);
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
          elapsedMs: performance.now() - begin,
          cpuMs: (user + system) / 1000,
        });
      });
    });
    outgoing.end(body);
  });
}

/** Serves the application of a test on a local port, until the end of the file. */
export async function listen({ app }: TestApp): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => agent.destroy());
  return portOf(app.server);
}
