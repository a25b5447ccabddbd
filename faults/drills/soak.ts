import { setTimeout as pause } from 'node:timers/promises';
import type { Drill, Reached } from '../drill.ts';
import { count } from '../figures.ts';
import { keptMemory } from '../kept-memory.ts';
import { setUp, type Installation } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';

const MINUTES = 60;
const FAULT_EVERY_MS = 5 * 60_000;
const SAMPLE_EVERY_MS = 2 * 60_000;
/** Half of what two processes serve on the machine at hand, its load generator and database included. */
const PER_SECOND = 150;
/** What a fault is given to pass before requests count again. */
const WINDOW_MS = 10_000;

/** What is done by chance. The first web process is left alone: its memory is watched. */
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
  'connections of the database cut': async ({ gate, primary }) => gate.leadTo(primary.port),
};

/** The slope of the line through points, by least squares. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, of]) => of))];
  const above = points.reduce((sum, [at, of]) => sum + (at - x) * (of - y), 0);
  return above / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}

type Kept = { hours: number; heapMb: number; residentMb: number };

/** The least of three, a second apart: what is under way in one moment is not in all of them. */
async function leastKept(pid: number): Promise<Omit<Kept, 'hours'>> {
  const all: Awaited<ReturnType<typeof keptMemory>>[] = [];
  for (let i = 0; i < 3; i++) {
    all.push(await keptMemory({ pid }));
    await pause(1_000);
  }
  const least = (of: 'heapMb' | 'residentMb') => Math.min(...all.map((kept) => kept[of]));
  return { heapMb: least('heapMb'), residentMb: least('residentMb') };
}

function growthFigure(what: string, points: readonly (readonly [hours: number, mb: number])[]): Reached {
  const slope = slopeOf(points);
  return { what, reached: `${slope.toFixed(2)} MB an hour`, demanded: 'less than 1 MB an hour', isReached: slope < 1 };
}

export const drill: Drill = {
  name: 'soak',
  does: `${MINUTES} minutes at half the rated load through nginx, with a fault by chance every five minutes: restarts of the database, killed and stopped processes, cut connections.`,
  async run({ scale, say }) {
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop, { hasNginx: true });
      const { webs, url } = installation;
      const lengthMs = MINUTES * 60_000 * scale;
      const samples: Kept[] = [];
      const windows: [number, number][] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: PER_SECOND * Math.min(1, Math.max(scale, 0.15)),
        urls: [url],
        say,
        async work() {
          const begunMs = performance.now();
          let isOver = false;
          const sampleEveryMs = Math.min(SAMPLE_EVERY_MS, lengthMs / 12);
          const watching = (async () => {
            while (!isOver) {
              const kept = await leastKept(webs[0]?.pid() ?? 0);
              samples.push({ hours: (performance.now() - begunMs) / 3_600_000, ...kept });
              say(`kept: ${kept.heapMb.toFixed(1)} MB of heap, ${kept.residentMb.toFixed(1)} MB resident`);
              await pause(sampleEveryMs);
            }
          })();
          const everyMs = Math.min(FAULT_EVERY_MS, lengthMs / 4);
          for (let nextMs = begunMs + everyMs; nextMs < begunMs + lengthMs; nextMs += everyMs) {
            await pause(Math.max(0, nextMs - performance.now()));
            const [what, fault] = Object.entries(FAULTS)[Math.floor(Math.random() * Object.keys(FAULTS).length)]!; // within the list
            say(what);
            const from = performance.now();
            await fault(installation);
            windows.push([from, performance.now() + WINDOW_MS]);
          }
          await pause(Math.max(0, begunMs + lengthMs - performance.now()));
          isOver = true;
          await watching;
        },
      });
      const counted = loaded.attempts.filter(
        ({ begunMs, endedMs }) => !windows.some(([from, to]) => endedMs >= from && begunMs <= to),
      );
      const failed = counted.filter(({ status }) => status === undefined || status >= 500).length;
      const available = 100 * (1 - failed / counted.length);
      // Caches fill in the first quarter.
      const warm = samples.slice(Math.floor(samples.length / 4));
      return [
        ...figures,
        exitFigure(installation),
        {
          what: `requests outside the windows of faults that succeeded, of ${count(counted.length)}`,
          reached: `${available.toFixed(3)} %`,
          demanded: 'at least 99.9 %',
          isReached: available >= 99.9,
        },
        growthFigure(
          'growth of the heap after warm-up, garbage collected',
          warm.map(({ hours, heapMb }) => [hours, heapMb]),
        ),
        growthFigure(
          'growth of resident memory after warm-up, garbage collected',
          warm.map(({ hours, residentMb }) => [hours, residentMb]),
        ),
      ];
    });
  },
};
