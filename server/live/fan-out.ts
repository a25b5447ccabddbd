import type { Channel } from '#server/db/announce.ts';

/** Subscriber callbacks: one per message, one after each reconnect (messages may have been missed). */
export type Receiver = { message(channel: string, payload: string): void; reconnected(): void };

/** A source of announcements: the database's NOTIFY, or Redis. */
export type AnnouncementSource = { isUp(): boolean; close(): Promise<void> };

export type FanOut = {
  /**
   * Subscribes to announcements of all processes, including this one (db/announce.ts). Returns the unsubscribe
   * function. A listener must not throw.
   */
  subscribe(channel: Channel, listener: (payload: string) => void): () => void;
  /** Called when announcements may have been missed: everything that depends on them must be read again. */
  onGap(listener: () => void): () => void;
  /** Whether announcements reach this process at the moment. Long-lived caches check it. */
  isReceiving(): boolean;
  close(): Promise<void>;
};

/** Distributes the announcements of all sources within this process. */
export function createFanOut(openSources: (receiver: Receiver) => AnnouncementSource[]): FanOut {
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const gapListeners = new Set<() => void>();
  const sources = openSources({
    message(channel, payload) {
      for (const listener of listeners.get(channel) ?? []) listener(payload);
    },
    reconnected() {
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
    isReceiving: () => sources.every((source) => source.isUp()),
    async close() {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}
