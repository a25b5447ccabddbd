import type { Answer, Told } from '../worker/kept.ts';
import { trustedWorker } from './trusted.ts';

// What pages with and without the application have to say to the service worker. Of no framework, for app/light.

/** Starts the worker once the page has loaded, and tells it who is looking. */
export async function startWorker(here: { person: string; locale: string; release: string }): Promise<void> {
  await whenLoaded();
  await navigator.serviceWorker.register(trustedWorker());
  await tell({ kind: 'here', ...here, files: usedFonts() });
}

export type Lesson = { person: string; url: string; title: string; lang: string };

/** Keeps a lesson for reading without a network; false when it could not be kept. */
export async function keepLesson(lesson: Lesson): Promise<boolean> {
  await whenLoaded();
  return await tell({ kind: 'keep', ...lesson, files: usedFonts() });
}

/** How long a lesson is open before it is kept: not while somebody is only leafing through. */
export const KEEP_AFTER_MS = 1500;

export async function tell<T extends Told>(told: T): Promise<Answer<T>> {
  const { active } = await navigator.serviceWorker.ready;
  return await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data as Answer<T>); // worker/sw.ts answers each kind so
    active?.postMessage(told, [port2]);
  });
}

async function whenLoaded(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((loaded) => addEventListener('load', loaded, { once: true }));
  await document.fonts.ready;
}

/** Fonts are named by the style sheet, each for its script; those used are known from their having been loaded. */
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
