import { setTimeout as pause } from 'node:timers/promises';
import type { Drill, Figure } from '../drill.ts';
import { count } from '../figures.ts';
import { keptMemory } from '../kept-memory.ts';
import { setUp, type Installation } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';

const MINUTES = 60;
const FAULT_EVERY_MS = 5 * 60_000;
const SAMPLE_EVERY_MS = 2 * 60_000;
/** Half of what two processes can serve on a machine that also runs the load and the database. */
const PER_SECOND = 150;
/** Requests within this time of a fault do not count. */
const WINDOW_MS = 10_000;

/** Random faults. The first web process is spared because its memory is measured. */
const FAULTS: Record<string, (installation: Installation) => Promise<unknown>> = {
  'immediate restart of the database': async ({ primary }) => {
    await primary.stop('immediate');
    await primary.start();
  },
  'fast restart of the database': async ({ primary }) => {
    await primary.stop('fast');
    await primary.start();
  },
  'kill -9 of a web process': async ({ webs }) => {
    await webs[1]?.stop('SIGKILL');
    await webs[1]?.start();
  },
  'SIGTERM of a web process': async ({ webs }) => {
    await webs[1]?.stop('SIGTERM');
    await webs[1]?.start();
  },
  'kill -9 of the worker': async ({ workers }) => {
    await workers[0]?.stop('SIGKILL');
    await workers[0]?.start();
  },
  'database connections cut': async ({ gate, primary }) => gate.redirectTo(primary.port),
};

/** The slope of a least-squares line. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, of]) => of))];
  const above = points.reduce((sum, [at, of]) => sum + (at - x) * (of - y), 0);
  return above / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}

type Kept = { hours: number; heapMb: number; residentMb: number };

/** The lowest of three samples a second apart, to exclude transient memory. */
async function leastKept(pid: number): Promise<Omit<Kept, 'hours'>> {
  const all: Awaited<ReturnType<typeof keptMemory>>[] = [];
  for (let i = 0; i < 3; i++) {
    all.push(await keptMemory({ pid }));
    await pause(1_000);
  }
  const least = (of: 'heapMb' | 'residentMb') => Math.min(...all.map((kept) => kept[of]));
  return { heapMb: least('heapMb'), residentMb: least('residentMb') };
}

function growthFigure(what: string, points: readonly (readonly [hours: number, mb: number])[]): Figure {
  const slope = slopeOf(points);
  return { what, result: `${slope.toFixed(2)} MB an hour`, target: 'less than 1 MB an hour', isMet: slope < 1 };
}

export const drill: Drill = {
  name: 'soak',
  description: `${MINUTES} minutes at half the rated load through nginx, with a random fault every five minutes: restarts of the database, killed and stopped processes, cut connections.`,
  async run({ scale, print }) {
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop, { hasNginx: true });
      const { webs, url } = installation;
      const lengthMs = MINUTES * 60_000 * scale;
      const samples: Kept[] = [];
      const windows: [number, number][] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: PER_SECOND * Math.min(1, Math.max(scale, 0.15)),
        urls: [url],
        print,
        async work() {
          const startedMs = performance.now();
          let isOver = false;
          const sampleEveryMs = Math.min(SAMPLE_EVERY_MS, lengthMs / 12);
          const watching = (async () => {
            while (!isOver) {
              const kept = await leastKept(webs[0]?.pid() ?? 0);
              samples.push({ hours: (performance.now() - startedMs) / 3_600_000, ...kept });
              print(
                `after collection: ${kept.heapMb.toFixed(1)} MB of heap, ${kept.residentMb.toFixed(1)} MB resident`,
              );
              await pause(sampleEveryMs);
            }
          })();
          const everyMs = Math.min(FAULT_EVERY_MS, lengthMs / 4);
          for (let nextMs = startedMs + everyMs; nextMs < startedMs + lengthMs; nextMs += everyMs) {
            await pause(Math.max(0, nextMs - performance.now()));
            const [what, fault] = Object.entries(FAULTS)[Math.floor(Math.random() * Object.keys(FAULTS).length)]!; // index within the list
            print(what);
            const from = performance.now();
            await fault(installation);
            windows.push([from, performance.now() + WINDOW_MS]);
          }
          await pause(Math.max(0, startedMs + lengthMs - performance.now()));
          isOver = true;
          await watching;
        },
      });
      const counted = loaded.attempts.filter(
        ({ startedMs, endedMs }) => !windows.some(([from, to]) => endedMs >= from && startedMs <= to),
      );
      const failed = counted.filter(({ status }) => status === undefined || status >= 500).length;
      const available = 100 * (1 - failed / counted.length);
      // Caches fill during the first quarter.
      const warm = samples.slice(Math.floor(samples.length / 4));
      return [
        ...figures,
        exitFigure(installation),
        {
          what: `requests outside the fault windows that succeeded, of ${count(counted.length)}`,
          result: `${available.toFixed(3)} %`,
          target: 'at least 99.9 %',
          isMet: available >= 99.9,
        },
        growthFigure(
          'heap growth after warm-up and garbage collection',
          warm.map(({ hours, heapMb }) => [hours, heapMb]),
        ),
        growthFigure(
          'resident memory growth after warm-up and garbage collection',
          warm.map(({ hours, residentMb }) => [hours, residentMb]),
        ),
      ];
    });
  },
};
