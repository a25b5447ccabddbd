import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import { readProfile } from '@officium/contract/account';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, openSandbox, type Answer, type SandboxNode } from '../sandbox.ts';
import { scaled, share, steadily, times, until, inTurn } from '../measures.ts';
import { residentMb } from '../watch.ts';
import type { Person } from '../fixture.ts';

const SLOW_REQUESTS = 1_000;
const NON_READERS = 2_000;
const STREAMS = 10_000;
/** The limit per person (server/areas/notifications/stream.service.ts). */
const STREAMS_PER_PERSON = 6;
/** A request must arrive in full within 30 seconds, checked every 30 seconds. */
const SLOW_REQUEST_MS = 75_000;
/** The product drops a client that reads nothing within this time. */
const NON_READER_MS = 120_000;

type Connection = { socket: Socket; isClosed: boolean; received: number };

/** Connects, sends a text, and reads the response or nothing at all. */
async function open(node: SandboxNode, text: string, { reads }: { reads: boolean }): Promise<Connection> {
  const { hostname, port } = new URL(node.url);
  const connection: Connection = { socket: connect(Number(port), hostname), isClosed: false, received: 0 };
  connection.socket.on('error', () => {}); // 'close' follows
  connection.socket.on('close', () => (connection.isClosed = true));
  if (reads) connection.socket.on('data', (data) => (connection.received += data.length));
  await new Promise<void>((connected) => {
    connection.socket.once('connect', connected);
    connection.socket.once('close', connected);
  });
  if (!reads) connection.socket.pause();
  connection.socket.write(text);
  return connection;
}

const get = (path: string, as?: Person) =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${as ? `cookie: session=${as.cookie}\r\nsec-fetch-site: same-origin\r\n` : ''}\r\n`;

/** In batches: more would overflow the backlog of the listening socket. */
async function openAll(count: number, one: (nth: number) => Promise<Connection>): Promise<Connection[]> {
  const connections: Connection[] = [];
  for (let nth = 0; nth < count; nth += 100)
    connections.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, count - nth) }, (_, at) => one(nth + at)))),
    );
  return connections;
}

export const drill: Drill = {
  name: 'slow-clients',
  description: `${SLOW_REQUESTS} clients send a request byte by byte; ${NON_READERS} request a document of a megabyte and read none of it; ${STREAMS} open the notification stream, half of them reading it.`,
  async run({ scale, print }) {
    const sandbox = await openSandbox();
    try {
      // One process: the measured process must be the one that serves.
      const settings = { WEB_PROCESSES: '1', LOG_LEVEL: 'fatal', NODE_OPTIONS: '--max-old-space-size=512' };
      const node = await sandbox.start(settings);
      const people = await sandbox.makePeople(Math.ceil(scaled(STREAMS, scale) / STREAMS_PER_PERSON));
      const personAt = inTurn(people);
      const baseline = () =>
        steadily(5, (nth): Promise<Answer> => ask(node, readProfile, { as: personAt(nth), params: { id: 'me' } }));
      // Load lazily loaded modules first, so that they count towards the baseline.
      await fetch(`${node.url}/api/openapi.json`).then((answer) => answer.arrayBuffer());
      const warm = baseline();
      await pause(5_000);
      await warm.stop();
      const base = residentMb(node);
      let peak = base;
      const watching = setInterval(() => (peak = Math.max(peak, residentMb(node))), 500);
      const others = baseline();
      try {
        const slowRequests = await openAll(scaled(SLOW_REQUESTS, scale), (nth) =>
          open(node, get('/healthz', personAt(nth)).slice(0, 20), { reads: true }),
        );
        const sending = setInterval(() => {
          for (const { socket, isClosed } of slowRequests) if (!isClosed) socket.write('a');
        }, 2_000);
        await until(
          'slow requests are closed',
          async () => slowRequests.every(({ isClosed }) => isClosed),
          SLOW_REQUEST_MS,
        ).catch(() => {});
        clearInterval(sending);
        const lasting = slowRequests.filter(({ isClosed }) => !isClosed).length;
        for (const { socket } of slowRequests) socket.destroy();
        const slowRequestsPeak = peak;
        print(`${slowRequests.length} slow requests: ${lasting} lasted; ${peak.toFixed(0)} MB of ${base.toFixed(0)}`);

        peak = residentMb(node);
        const nonReaders = await openAll(scaled(NON_READERS, scale), () =>
          open(node, get('/api/openapi.json'), { reads: false }),
        );
        await pause(10_000);
        const nonReadersPeak = peak;
        print(`${nonReaders.length} clients that read nothing: ${peak.toFixed(0)} MB`);
        await pause(NON_READER_MS - 10_000);
        // A dropped client notices only when it reads on, after the data buffered by the system.
        for (const { socket } of nonReaders) socket.resume();
        await pause(3_000);
        const stillConnected = nonReaders.filter(({ isClosed }) => !isClosed).length;
        for (const { socket } of nonReaders) socket.destroy();
        await pause(5_000);

        peak = residentMb(node);
        const streams = await openAll(scaled(STREAMS, scale), (nth) =>
          open(node, get('/api/notifications/stream', people[Math.floor(nth / STREAMS_PER_PERSON)]), {
            reads: nth % 2 === 0,
          }),
        );
        await pause(30_000);
        const receiving = streams.filter(
          ({ received, isClosed }, nth) => nth % 2 === 0 && received > 0 && !isClosed,
        ).length;
        print(`${streams.length} streams: ${peak.toFixed(0)} MB`);
        for (const { socket } of streams) socket.destroy();
        const streamsPeak = peak;
        await pause(5_000);
        const answers = await others.stop();
        return [
          none('slow requests still open after 75 s', lasting, slowRequests.length),
          atMost(`memory to ${base.toFixed(0)} MB before, with slow requests`, slowRequestsPeak / base, 1.5, times),
          atMost('the same with clients that read nothing', nonReadersPeak / base, 1.5, times),
          none('clients that read nothing and are still connected after 120 s', stillConnected, nonReaders.length),
          atMost(`the same with ${streams.length} streams`, streamsPeak / base, 1.5, times),
          share('streams that receive events', receiving, Math.ceil(streams.length / 2), 1),
          share(
            'other requests that succeeded',
            answers.filter(({ status }) => status === 200).length,
            answers.length,
            1,
          ),
          none('exits of the process', node.exitCode() === null ? 0 : 1),
        ];
      } finally {
        clearInterval(watching);
        await others.stop();
      }
    } finally {
      await sandbox.close();
    }
  },
};
