import { listCommunities, readCommunity } from '@officium/contract/community';
import { commonErrors } from '@officium/contract/errors';
import type { shareArticle } from '@officium/contract/shares';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Locale } from '@officium/i18n/locales';
import type { Api, Attempt } from '../../server/api.ts';
import type { Viewer } from '../../server/page-context.ts';

export type Place = { slug: string; title: string };
/** Why an article did not reach a community. */
export type Reason = 'forbidden' | 'missing' | 'other';
export type Outcome = { shared: Place[]; failed: (Place & { reason: Reason })[] };

/** The most communities of the viewer that are checked. */
const ASKED = 60;

/** The communities the viewer may post in. */
export async function placesToShare({
  api,
  attempt,
  viewer,
  locale,
}: {
  api: Api;
  attempt: Attempt;
  viewer: Viewer;
  locale: Locale;
}): Promise<Place[]> {
  const { communities } = await api(listCommunities, { query: { locale } });
  const known = communities
    .filter(({ membership }) => viewer.role === 'administrator' || membership?.status === 'active')
    .slice(0, ASKED);
  const pages = await Promise.all(
    known.map(({ slug }) => attempt(readCommunity, { params: { slug }, query: { locale } })),
  );
  return pages.flatMap((page) =>
    page.ok && page.body.permissions.canPost ? [{ slug: page.body.slug, title: page.body.title }] : [],
  );
}

/** The API's result for display: names instead of slugs, and our own reason for each refusal. */
export function outcomeOf(reply: ReplyOf<typeof shareArticle>, places: Place[]): Outcome {
  const named = (slug: string): Place => places.find((place) => place.slug === slug) ?? { slug, title: slug };
  return {
    shared: reply.successful.map(named),
    failed:
      'failed' in reply ? reply.failed.map(({ slug, error }) => ({ ...named(slug), reason: reasonOf(error) })) : [],
  };
}

// The contract returns only a message for each refusal.
const REASONS = new Map<string, Reason>([
  [commonErrors['request.not_found'].message, 'missing'],
  [commonErrors['auth.forbidden'].message, 'forbidden'],
  [commonErrors['auth.required'].message, 'forbidden'],
]);

function reasonOf(error: string): Reason {
  return REASONS.get(error) ?? 'other';
}
