import { Counter, Gauge, type Registry } from 'prom-client';
import type { Replica } from '#server/db/replica.ts';

/** The state of the replica, as this process sees it. */
export function replicaGauges(registry: Registry, replica: Replica): void {
  const registers = [registry];
  new Gauge({
    name: 'officium_replica_read',
    help: '1 while reads go to the replica, 0 while they all go to the primary',
    aggregator: 'min',
    registers,
    collect() {
      this.set(replica.status().fault === undefined ? 1 : 0);
    },
  });
  new Gauge({
    name: 'officium_replica_lag_bytes',
    help: 'Replication lag at the last check, in bytes',
    aggregator: 'max',
    registers,
    collect() {
      this.set(replica.status().lagBytes);
    },
  });
  new Counter({
    name: 'officium_replica_reads_total',
    help: 'Reads the replica may serve, by outcome: served by it, by the primary because the replica is behind the writes of its viewer, or retried on the primary after a failure',
    labelNames: ['by'],
    registers,
    collect() {
      this.reset();
      for (const [by, count] of Object.entries(replica.status().reads)) this.inc({ by }, count);
    },
  });
}
