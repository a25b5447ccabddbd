// What a supervisor and the processes it runs say to each other.

export type ToMember =
  /** `place` stays the same when a process is replaced: 0 for the first. */
  | { kind: 'begin'; place: number; databaseUrl: string; isPrepared: boolean; role: 'all' | 'web' | 'worker' }
  | { kind: 'stop' }
  /** Asks for what it measured. */
  | { kind: 'measure'; id: number }
  /** What all measured, for the one that asked. */
  | { kind: 'measured'; id: number; all: unknown[] };

export type ToSupervisor =
  | { kind: 'ready'; url: string }
  | { kind: 'alive' }
  /** Asks for what all measured. */
  | { kind: 'measure'; id: number }
  /** Null of one that has not begun to serve. */
  | { kind: 'measured'; id: number; own: unknown };

export const ALIVE_EVERY_MS = 5_000;
