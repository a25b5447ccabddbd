import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Ctx } from '#server/ctx.ts';
import { productGauges } from './product-gauges.ts';
import { replicaGauges } from './replica-gauges.ts';

/** Returns the measurements of every process of this machine, including this one. */
export type MeasureAll = () => Promise<unknown[]>;

type OfAll = Parameters<typeof AggregatorRegistry.aggregate>[0];

export type Measurements = {
  observe(request: { method: string; route: string; status: number }, seconds: number): void;
  /** The measurements of this process. */
  own(): Promise<unknown>;
  /** The measurements of all processes behind this port, in Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
};

/**
 * Metrics of requests, processes, jobs and mails. Metrics of one process carry its number as the label `process`; the
 * others are summed over all processes.
 */
export function createMeasurements(
  ctx: Pick<Ctx, 'db' | 'redis' | 'replica' | 'fanOut' | 'log'>,
  { measureAll, index = 0 }: { measureAll?: MeasureAll; index?: number } = {},
): Measurements {
  const ofProcess = new Registry();
  ofProcess.setDefaultLabels({ process: String(index) });
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
    // A no-op sum, as each process has its own label; the default aggregators would drop some of these.
    ...(await ofProcess.getMetricsAsJSON()).map((metric) => ({ ...metric, aggregator: 'sum' })),
    ...(await registry.getMetricsAsJSON()),
  ];
  return {
    observe: (request, seconds) => requests.observe(request, seconds),
    own,
    async text() {
      // The same answer from every process: per-process sums would look like restarts.
      const all = (measureAll ? await measureAll() : [await own()]) as OfAll; // as own() builds them
      return await AggregatorRegistry.aggregate(all).metrics();
    },
    contentType: registry.contentType,
  };
}
