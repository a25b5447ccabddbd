import type { Config } from '#server/config.ts';

/** Connections of each process beside its pool: past the pooler, for jobs and for announcements. */
export const CONNECTIONS_BESIDE_POOL = 10;

/** The size of the pool. Keeps all processes of this machine below 100 connections. */
export function connectionsOf({ processes }: Pick<Config, 'processes'>): number {
  return Math.max(5, Math.min(20, Math.floor(90 / processes) - CONNECTIONS_BESIDE_POOL));
}
