import { Link, useLocation } from 'react-router';
import { useText } from '../../text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { addressOf, wordsApart } from './query.ts';

type Props = { q: string; group?: string | undefined; isSignedIn: boolean };

/** What to try instead, nearest first. */
export function NothingFound({ q, group, isSignedIn }: Props) {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const steps = [
    ...(group ? [{ to: addressOf({ q }), label: t('search.everywhere') }] : []),
    ...wordsApart(q).map((word) => ({ to: addressOf({ q: word }), label: t('search.only', { word }) })),
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
