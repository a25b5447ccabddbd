// Messages between the supervisor and its worker processes.

export type ToWorker =
  /** `index` is the number of the process, 0 for the first; a replacement keeps it. */
  | { kind: 'begin'; index: number; databaseUrl: string; isPrepared: boolean; role: 'all' | 'web' | 'worker' }
  | { kind: 'stop' }
  /** Requests the measurements of one process. */
  | { kind: 'measure'; id: number }
  /** The measurements of all processes, for the one that requested them. */
  | { kind: 'measured'; id: number; all: unknown[] };

export type ToSupervisor =
  | { kind: 'ready'; url: string }
  | { kind: 'alive' }
  /** Requests the measurements of all processes. */
  | { kind: 'measure'; id: number }
  /** null from a process that is not serving yet. */
  | { kind: 'measured'; id: number; own: unknown };

export const ALIVE_EVERY_MS = 5_000;
