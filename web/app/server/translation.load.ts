import {
  listTranslationSources,
  type PAYLOAD_TYPES,
  readArticleTranslation,
  readPayloadTranslation,
} from '@officium/contract/translation';
import type { Failure, load } from './api.ts';
import type { ArticleTranslation, NoTranslation, TextTranslation } from '../translation.ts';

type Args = Pick<Awaited<ReturnType<typeof load>>, 'api' | 'attempt' | 'viewer' | 'locale'>;

/** Translations requested in parallel per page. */
const MOST_AT_ONCE = 10;

/** Languages that can be translated into the one of the page; none for visitors. */
export async function loadSources({ attempt, viewer, locale }: Omit<Args, 'api'>): Promise<string[]> {
  if (!viewer || viewer.limited || viewer.role === 'inactive') return [];
  const known = sources.get(locale);
  if (known && known.until > Date.now()) return known.found;
  const answer = await attempt(listTranslationSources, { query: { locale } });
  if (!answer.ok) return [];
  sources.set(locale, { found: answer.body.sources, until: Date.now() + SOURCES_KEPT_MS });
  return answer.body.sources;
}

// Cached, because it is the same for all signed-in viewers and needed by every page with posts.
const sources = new Map<string, { found: string[]; until: number }>();
const SOURCES_KEPT_MS = 10_000;

const whyNot = ({ status }: Failure): NoTranslation => ({ reason: status === 429 ? 'many' : 'none' });

/** The requested translations of a page, by text id. Failures are left out, so that the original shows. */
export async function loadTranslations(
  { attempt, viewer, locale }: Args,
  wanted: readonly { id: string; payloadType: (typeof PAYLOAD_TYPES)[number] }[],
): Promise<Record<string, TextTranslation>> {
  if (!viewer || viewer.limited) return {};
  const made = wanted.slice(0, MOST_AT_ONCE).map(async ({ id, payloadType }) => {
    const found = await attempt(readPayloadTranslation, { params: { id, locale }, query: { payloadType } });
    return [id, found.ok ? found.body : whyNot(found.failure)] as const;
  });
  return Object.fromEntries(await Promise.all(made));
}

export async function loadArticleTranslation(
  { attempt, viewer, locale }: Args,
  slug: string,
): Promise<ArticleTranslation | undefined> {
  if (!viewer || viewer.limited) return undefined;
  const found = await attempt(readArticleTranslation, { params: { slug, locale } });
  return found.ok ? found.body : whyNot(found.failure);
}
