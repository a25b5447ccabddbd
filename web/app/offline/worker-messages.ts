import type { WorkerReply, WorkerMessage } from '../../worker/saved-lessons.ts';
import { trustedWorker } from '../trusted.ts';

// Messages to the service worker, from pages with and without the application. Framework-free for app/light.

/** Starts the worker after the page has loaded and passes it the viewer. */
export async function startWorker(here: { person: string; locale: string; release: string }): Promise<void> {
  await whenLoaded();
  await navigator.serviceWorker.register(trustedWorker());
  await tell({ kind: 'here', ...here, files: usedFonts() });
}

export type Lesson = { person: string; url: string; title: string; lang: string };

/** Saves a lesson for offline reading; false when it could not be saved. */
export async function saveLesson(lesson: Lesson): Promise<boolean> {
  await whenLoaded();
  return await tell({ kind: 'keep', ...lesson, files: usedFonts() });
}

/** A lesson is saved after being open this long, so that skimming does not save it. */
export const SAVE_LESSON_AFTER_MS = 1500;

export async function tell<T extends WorkerMessage>(message: T): Promise<WorkerReply<T>> {
  const { active } = await navigator.serviceWorker.ready;
  return await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data as WorkerReply<T>); // worker/sw.ts replies in this shape
    active?.postMessage(message, [port2]);
  });
}

async function whenLoaded(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((loaded) => addEventListener('load', loaded, { once: true }));
  await document.fonts.ready;
}

/** The fonts in use: the style sheet lists fonts per script, so used ones are those that have loaded. */
function usedFonts(): string[] {
  const addresses = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  return [
    ...new Set(
      addresses
        .filter(({ origin, pathname }) => origin === location.origin && pathname.endsWith('.woff2'))
        .map(({ pathname }) => pathname),
    ),
  ];
}
