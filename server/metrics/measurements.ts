import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Ctx } from '#server/ctx.ts';
import { productGauges } from './product-gauges.ts';
import { replicaGauges } from './replica-gauges.ts';

/** Gives what every process of this machine measured, this one's own among it. */
export type MeasureAll = () => Promise<unknown[]>;

type OfAll = Parameters<typeof AggregatorRegistry.aggregate>[0];

export type Measurements = {
  observe(request: { method: string; route: string; status: number }, seconds: number): void;
  /** What this process measured. */
  own(): Promise<unknown>;
  /** What all processes behind this port measured, as Prometheus reads it. */
  text(): Promise<string>;
  contentType: string;
};

/**
 * Metrics of requests, processes, jobs and mails. Metrics of one process carry its `place` as the label `process`; the
 * others are summed over all processes.
 */
export function createMeasurements(
  ctx: Pick<Ctx, 'db' | 'redis' | 'replica' | 'fanOut' | 'log'>,
  { measureAll, place = 0 }: { measureAll?: MeasureAll; place?: number } = {},
): Measurements {
  const ofProcess = new Registry();
  ofProcess.setDefaultLabels({ process: String(place) });
  collectDefaultMetrics({ register: ofProcess });
  const registry = new Registry();
  productGauges(registry, ctx);
  if (ctx.replica) replicaGauges(registry, ctx.replica);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request duration in seconds, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const own = async () => [
    // Nothing is added up, as each process has its label; some of these would be left out of a sum.
    ...(await ofProcess.getMetricsAsJSON()).map((metric) => ({ ...metric, aggregator: 'sum' })),
    ...(await registry.getMetricsAsJSON()),
  ];
  return {
    observe: (request, seconds) => requests.observe(request, seconds),
    own,
    async text() {
      // Whichever process is asked: sums that went up and down with who answers would be read as restarts.
      const all = (measureAll ? await measureAll() : [await own()]) as OfAll; // as own() makes them
      return await AggregatorRegistry.aggregate(all).metrics();
    },
    contentType: registry.contentType,
  };
}
