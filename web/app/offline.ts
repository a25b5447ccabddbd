import { startTransition, useEffect, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import type { KeptLesson } from '../worker/kept.ts';
import stylesheet from './app.css?url';
import { messagesUrl } from './messages.ts';
import type { RootData } from './root-data.ts';
import { useText } from './text.tsx';
import { keepLesson, KEEP_AFTER_MS, startWorker, tell } from './worker-talk.ts';

const hasWorker = import.meta.env.PROD && !import.meta.env.SSR && 'serviceWorker' in navigator;

/** Starts the service worker once a page has loaded, and tells it who is looking. */
export function useOffline(): void {
  const { locale } = useText();
  const person = usePerson();
  useEffect(() => {
    if (!hasWorker || person === undefined) return;
    // A browser may refuse it to anybody: in a private window, or by policy.
    startWorker({ person, locale, release: releaseOf(locale) }).catch(() => undefined);
  }, [person, locale]);
}

/** Changes with every release that changes how the kept page looks or reads. */
export function releaseOf(locale: Locale): string {
  return `${stylesheet} ${messagesUrl(locale)}`;
}

/** A page that could not be fetched may be kept. What the worker answers runs no script, so this happens once. */
export function useKeptInstead(isOffline: boolean): void {
  useEffect(() => {
    if (hasWorker && isOffline && navigator.serviceWorker.controller) location.reload();
  }, [isOffline]);
}

/** Keeps a lesson that is open; true once it can be read without a network. */
export function useKeptLesson(url: string, title: string, lang: string): boolean {
  const person = usePerson();
  const [kept, setKept] = useState('');
  useEffect(() => {
    if (!hasWorker || person === undefined) return undefined;
    let isGone = false;
    const timer = setTimeout(async () => {
      const isKept = await keepLesson({ person, url, title, lang });
      // Parts of the page may still wait for their script; what is written into them meanwhile is to stay.
      if (isKept && !isGone) startTransition(() => setKept(url));
    }, KEEP_AFTER_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [person, url, title, lang]);
  return kept === url;
}

/** Id of who is looking, empty for nobody; undefined where the page does not know. */
export function usePerson(): string | undefined {
  const root = useRouteLoaderData<RootData>('root');
  return root && (root.viewer?.id ?? '');
}

/** Whether lessons can be kept in this browser: known once the worker has started. */
export function useCanKeep(): boolean {
  const [canKeep, setCanKeep] = useState(false);
  useEffect(() => {
    if (hasWorker) void navigator.serviceWorker.ready.then(() => setCanKeep(true));
  }, []);
  return canKeep;
}

/** The lessons kept on this device, last opened first. */
export async function keptLessons(): Promise<KeptLesson[]> {
  return (hasWorker && (await tell({ kind: 'list' }))) || [];
}

/** Removes a lesson from this device. */
export async function dropLesson(key: string): Promise<void> {
  await tell({ kind: 'drop', key });
}
