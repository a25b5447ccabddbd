import { listCommunities, readCommunity } from '@officium/contract/community';
import { commonErrors } from '@officium/contract/errors';
import type { shareArticle } from '@officium/contract/shares';
import type { ReplyOf } from '@officium/contract/endpoint';
import { isLocale, type Locale } from '@officium/i18n/locales';
import { keepable } from '../form/state.ts';
import type { SharePlace, ShareReason, ShareResult } from '../ui/share-form.tsx';
import { refuse, type Api, type Attempt, type Failure } from './api.ts';
import type { Viewer } from './page-context.ts';

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
}): Promise<SharePlace[]> {
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

/** The fields of the form, as the API takes them. */
export function shareOf(fields: FormData): { title: string; communities: string[]; locale?: Locale } {
  const locale = fields.get('locale');
  return {
    title: String(fields.get('title') ?? ''),
    communities: [...fields.keys()].filter((name) => name.startsWith('to-')).map((name) => name.slice(3)),
    ...(isLocale(locale) ? { locale } : {}),
  };
}

/** A refused share, with the form as it was sent. */
export function refuseShare({ message, code, issues, status }: Failure, fields: FormData) {
  const said = issues.map((issue) =>
    issue.path.startsWith('communities') ? { ...issue, path: 'communities' } : issue,
  );
  return refuse({ message, code, issues: said, values: keepable(fields), status }, status);
}

type Sent = { sent: ReturnType<typeof shareOf>; places: SharePlace[]; locale: Locale };

/** The API's result for display: names instead of slugs, and our own reason for each refusal. */
export function resultOf(reply: ReplyOf<typeof shareArticle>, { sent, places, locale }: Sent): ShareResult {
  const named = (slug: string): SharePlace => places.find((place) => place.slug === slug) ?? { slug, title: slug };
  return {
    outcome: {
      shared: reply.successful.map(named),
      failed:
        'failed' in reply ? reply.failed.map(({ slug, error }) => ({ ...named(slug), reason: reasonOf(error) })) : [],
    },
    sent: { title: sent.title, locale: sent.locale ?? locale },
  };
}

// The contract returns only a message for each refusal.
const REASONS = new Map<string, ShareReason>([
  [commonErrors['request.not_found'].message, 'missing'],
  [commonErrors['auth.forbidden'].message, 'forbidden'],
  [commonErrors['auth.required'].message, 'forbidden'],
]);

function reasonOf(error: string): ShareReason {
  return REASONS.get(error) ?? 'other';
}
