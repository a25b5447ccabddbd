import { useText } from '../../text.tsx';
import type { SharedThing } from './shared-thing.ts';

const KINDS = { article: 'search.kind_article', discussion: 'community.shared_discussion' } as const;

/** The card of a shared thing. Plain HTML, for `LinkArea`. */
export function SharedCard({ shared: { kind, path, place, title, text, replies } }: { shared: SharedThing }) {
  const { t } = useText();
  return (
    <a href={path} className="card mt-4 block px-4 py-3 hover:border-accent">
      <span className="block text-sm text-muted">
        {t(KINDS[kind])}
        {place ? (
          <>
            {' '}
            · <bdi>{place}</bdi>
          </>
        ) : null}
      </span>
      <span dir="auto" className="mt-1 block font-semibold wrap-anywhere">
        {title}
      </span>
      {text ? (
        <span dir="auto" className="mt-0.5 block text-sm wrap-anywhere">
          {text}
        </span>
      ) : null}
      {replies === undefined ? null : (
        <span className="mt-1 block text-sm text-muted">{t('community.replies_count', { count: replies })}</span>
      )}
    </a>
  );
}
