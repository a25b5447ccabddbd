import { connect, type Socket } from 'node:net';
import { readProfile } from '@officium/contract/account';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, openInstallation, type Answer, type Node } from '../installation.ts';
import { pause, scaled, share, steadily, times, until } from '../measures.ts';
import { residentMb } from '../watch.ts';
import type { Person } from '../world.ts';

const LORISES = 1_000;
const DEAF = 2_000;
const STREAMS = 10_000;
/** Of one person at most (server/areas/notifications/stream.service.ts). */
const STREAMS_A_PERSON = 6;
/** A request must be there whole after 30 seconds, which are looked at every 30. */
const LORIS_MS = 75_000;
/** A client that reads nothing is let go within so long. */
const DEAF_MS = 120_000;

type Caller = { socket: Socket; isOver: boolean; received: number };

/** Connects, says something, and reads what comes or nothing at all. */
async function call(node: Node, text: string, { reads }: { reads: boolean }): Promise<Caller> {
  const { hostname, port } = new URL(node.url);
  const caller: Caller = { socket: connect(Number(port), hostname), isOver: false, received: 0 };
  caller.socket.on('error', () => {}); // 'close' follows
  caller.socket.on('close', () => (caller.isOver = true));
  if (reads) caller.socket.on('data', (data) => (caller.received += data.length));
  await new Promise<void>((connected) => {
    caller.socket.once('connect', connected);
    caller.socket.once('close', connected);
  });
  if (!reads) caller.socket.pause();
  caller.socket.write(text);
  return caller;
}

const get = (path: string, as?: Person) =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${as ? `cookie: session=${as.cookie}\r\nsec-fetch-site: same-origin\r\n` : ''}\r\n`;

/** Several at a time: more would overflow the queue of the listening socket. */
async function callAll(count: number, one: (nth: number) => Promise<Caller>): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let nth = 0; nth < count; nth += 100)
    callers.push(...(await Promise.all(Array.from({ length: Math.min(100, count - nth) }, (_, at) => one(nth + at)))));
  return callers;
}

export const drill: Drill = {
  name: 'slow-clients',
  does: `${LORISES} clients send a request byte by byte; ${DEAF} ask for a document of a megabyte and read nothing of it; ${STREAMS} listen to what is new, half of them reading.`,
  async run({ scale, say }) {
    const house = await openInstallation();
    try {
      // One process: the one that is weighed must be the one that serves.
      const settings = { WEB_PROCESSES: '1', LOG_LEVEL: 'fatal', NODE_OPTIONS: '--max-old-space-size=512' };
      const node = await house.start(settings);
      const people = await house.makePeople(Math.ceil(scaled(STREAMS, scale) / STREAMS_A_PERSON));
      const somebody = (nth: number) => people[nth % people.length]!; // within the list
      const usual = () =>
        steadily(5, (nth): Promise<Answer> => ask(node, readProfile, { as: somebody(nth), params: { id: 'me' } }));
      // What is loaded when it is first asked for counts as base.
      await fetch(`${node.url}/api/openapi.json`).then((answer) => answer.arrayBuffer());
      const warm = usual();
      await pause(5_000);
      await warm.stop();
      const base = residentMb(node);
      let peak = base;
      const watching = setInterval(() => (peak = Math.max(peak, residentMb(node))), 500);
      const others = usual();
      try {
        const lorises = await callAll(scaled(LORISES, scale), (nth) =>
          call(node, get('/healthz', somebody(nth)).slice(0, 20), { reads: true }),
        );
        const dripping = setInterval(() => {
          for (const { socket, isOver } of lorises) if (!isOver) socket.write('a');
        }, 2_000);
        await until('slow requests are ended', async () => lorises.every(({ isOver }) => isOver), LORIS_MS).catch(
          () => {},
        );
        clearInterval(dripping);
        const lasting = lorises.filter(({ isOver }) => !isOver).length;
        for (const { socket } of lorises) socket.destroy();
        const lorisPeak = peak;
        say(`${lorises.length} slow requests: ${lasting} lasted; ${peak.toFixed(0)} MB of ${base.toFixed(0)}`);

        peak = residentMb(node);
        const deaf = await callAll(scaled(DEAF, scale), () => call(node, get('/api/openapi.json'), { reads: false }));
        await pause(10_000);
        const deafPeak = peak;
        say(`${deaf.length} that read nothing: ${peak.toFixed(0)} MB`);
        await pause(DEAF_MS - 10_000);
        // Who is let go is told once it reads on: what lies in the buffers of the machine comes first.
        for (const { socket } of deaf) socket.resume();
        await pause(3_000);
        const heldOn = deaf.filter(({ isOver }) => !isOver).length;
        for (const { socket } of deaf) socket.destroy();
        await pause(5_000);

        peak = residentMb(node);
        const streams = await callAll(scaled(STREAMS, scale), (nth) =>
          call(node, get('/api/notifications/stream', people[Math.floor(nth / STREAMS_A_PERSON)]), {
            reads: nth % 2 === 0,
          }),
        );
        await pause(30_000);
        const heard = streams.filter(({ received, isOver }, nth) => nth % 2 === 0 && received > 0 && !isOver).length;
        say(`${streams.length} streams: ${peak.toFixed(0)} MB`);
        for (const { socket } of streams) socket.destroy();
        const streamsPeak = peak;
        await pause(5_000);
        const answers = await others.stop();
        return [
          none('slow requests still open after 75 s', lasting, lorises.length),
          atMost(`memory to ${base.toFixed(0)} MB before, with slow requests`, lorisPeak / base, 1.5, times),
          atMost('the same with clients that read nothing', deafPeak / base, 1.5, times),
          none('clients that read nothing and are still held after 120 s', heldOn, deaf.length),
          atMost(`the same with ${streams.length} streams`, streamsPeak / base, 1.5, times),
          share('streams that hear', heard, Math.ceil(streams.length / 2), 1),
          share(
            'other requests answered as usual',
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
      await house.close();
    }
  },
};
