import { startTransition, useEffect, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import type { SavedLesson } from '../../worker/saved-lessons.ts';
import stylesheet from '../app.css?url';
import { messagesUrl } from '../messages.ts';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { saveLesson, SAVE_LESSON_AFTER_MS, startWorker, tell } from './worker-messages.ts';

const hasWorker = import.meta.env.PROD && !import.meta.env.SSR && 'serviceWorker' in navigator;

/** Starts the service worker after the page has loaded, and passes it the viewer. */
export function useOffline(): void {
  const { locale } = useText();
  const person = useViewerId();
  useEffect(() => {
    if (!hasWorker || person === undefined) return;
    // Browsers may refuse it: in private windows, or by policy.
    startWorker({ person, locale, release: releaseOf(locale) }).catch(() => undefined);
  }, [person, locale]);
}

/** Identifies the release: changes whenever the look or texts of the saved page change. */
export function releaseOf(locale: Locale): string {
  return `${stylesheet} ${messagesUrl(locale)}`;
}

/** Shows the saved copy of a page that could not be fetched. The copy runs no script, so this happens once. */
export function useSavedCopy(isOffline: boolean): void {
  useEffect(() => {
    if (hasWorker && isOffline && navigator.serviceWorker.controller) location.reload();
  }, [isOffline]);
}

/** Saves the open lesson; true once it can be read offline. */
export function useSavedLesson(url: string, title: string, lang: string): boolean {
  const person = useViewerId();
  const [saved, setSaved] = useState('');
  useEffect(() => {
    if (!hasWorker || person === undefined) return undefined;
    let isGone = false;
    const timer = setTimeout(async () => {
      const isKept = await saveLesson({ person, url, title, lang });
      // A transition, because parts of the page may still await their script and must keep text typed meanwhile.
      if (isKept && !isGone) startTransition(() => setSaved(url));
    }, SAVE_LESSON_AFTER_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [person, url, title, lang]);
  return saved === url;
}

/** Id of the viewer, empty for visitors; undefined where the page does not know, and in a preview. */
export function useViewerId(): string | undefined {
  const root = useRouteLoaderData<RootData>('root');
  return root?.viewer?.preview ? undefined : root && (root.viewer?.id ?? '');
}

/** Whether this browser can save lessons: known once the worker has started. */
export function useCanSaveLessons(): boolean {
  const [canKeep, setCanKeep] = useState(false);
  useEffect(() => {
    if (hasWorker) void navigator.serviceWorker.ready.then(() => setCanKeep(true));
  }, []);
  return canKeep;
}

/** The lessons saved on this device, last opened first. */
export async function savedLessons(): Promise<SavedLesson[]> {
  return (hasWorker && (await tell({ kind: 'list' }))) || [];
}

/** Removes a lesson from this device. */
export async function removeLesson(key: string): Promise<void> {
  await tell({ kind: 'drop', key });
}
