import type { Channel } from '#server/db/announce.ts';

/** What an ear calls: with an announcement, and each time it listens anew, when some may have been missed. */
export type Hear = { announcement(channel: string, payload: string): void; anew(): void };

/** One way announcements come: the database's NOTIFY, or Redis. */
export type Ear = { isUp(): boolean; close(): Promise<void> };

export type FanOut = {
  /** Hears what any process announces (db/announce.ts), this one too. Answers how to stop. A listener must not throw. */
  subscribe(channel: Channel, listener: (payload: string) => void): () => void;
  /** Called when announcements may have been missed: whatever depends on them is to be read again. */
  onGap(listener: () => void): () => void;
  /** Whether all that is announced reaches this process at the moment. Who caches longer than a hint may be late asks. */
  isHearing(): boolean;
  close(): Promise<void>;
};

/** Announcements from all ears, for whoever in this process wants them. */
export function createFanOut(openEars: (hear: Hear) => Ear[]): FanOut {
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const gapListeners = new Set<() => void>();
  const ears = openEars({
    announcement(channel, payload) {
      for (const listener of listeners.get(channel) ?? []) listener(payload);
    },
    anew() {
      for (const listener of gapListeners) listener();
    },
  });
  return {
    subscribe(channel, listener) {
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(listener));
      return () => void all.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => void gapListeners.delete(listener);
    },
    isHearing: () => ears.every((ear) => ear.isUp()),
    async close() {
      await Promise.all(ears.map((ear) => ear.close()));
    },
  };
}
