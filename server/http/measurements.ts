import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Ctx } from '../ctx.ts';
import { productGauges } from './product-gauges.ts';
import { replicaGauges } from './replica-gauges.ts';

/** Gives what every process of this machine measured, this one's own among it. */
export type MeasureAll = () => Promise<unknown[]>;

export type Measurements = {
  observe(request: { method: string; route: string; status: number }, seconds: number): void;
  /** What this process measured. */
  own(): Promise<unknown>;
  /** What all processes behind this port measured, as Prometheus reads it. */
  text(): Promise<string>;
  contentType: string;
};

/** What is measured of requests, of the process, and of jobs, mails and what else is watched. */
export function createMeasurements(
  ctx: Pick<Ctx, 'db' | 'redis' | 'replica' | 'fanOut' | 'log'>,
  measureAll?: MeasureAll,
): Measurements {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  productGauges(registry, ctx);
  if (ctx.replica) replicaGauges(registry, ctx.replica);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    observe: (request, seconds) => requests.observe(request, seconds),
    own: () => registry.getMetricsAsJSON(),
    async text() {
      if (!measureAll) return await registry.metrics();
      // Whichever process is asked: sums that went up and down with who answers would be read as restarts.
      const all = (await measureAll()) as Parameters<typeof AggregatorRegistry.aggregate>[0]; // as own() makes them
      return await AggregatorRegistry.aggregate(all).metrics();
    },
    contentType: registry.contentType,
  };
}
