import { Link, useLocation } from 'react-router';
import { useText } from '../../text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { addressOf, type Filters, wordsApart } from './query.ts';

type SearchGroup = Parameters<typeof addressOf>[0]['group'];
type Props = { q: string; group?: SearchGroup | undefined; filters: Filters; isSignedIn: boolean };

/** Suggestions when nothing was found, most likely first. */
export function NothingFound({ q, group, filters, isSignedIn }: Props) {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const isFiltered = Object.keys(filters).length > 0;
  const steps = [
    ...(isFiltered ? [{ to: addressOf({ q, group }), label: t('search.filters_clear') }] : []),
    ...(group ? [{ to: addressOf({ q, filters }), label: t('search.everywhere') }] : []),
    ...wordsApart(q).map((word) => ({ to: addressOf({ q: word, filters }), label: t('search.only', { word }) })),
    ...(isSignedIn ? [] : [{ to: `/login?next=${encodeURIComponent(pathname + search)}`, label: t('search.sign_in') }]),
    { to: '/courses', label: t('common.courses') },
    { to: '/communities', label: t('common.communities') },
    { to: '/articles', label: t('common.articles') },
  ];
  return (
    <div className="mt-8 max-w-3xl">
      <EmptyState title={<bdi>{t('search.none_title', { query: q })}</bdi>}>{t('search.none_text')}</EmptyState>
      <ul className="mt-4 flex flex-wrap gap-x-6">
        {steps.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="link inline-block py-2.5">
              <bdi>{label}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
