import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Join } from './join.tsx';
import type { CommunityData } from './model.ts';

type Props = { community: CommunityData; isSignedIn: boolean; children?: ReactNode };

/** Header of a community page: cover, title, purpose, member count and the join button. */
export function CommunityHead({ community, isSignedIn, children }: Props) {
  const { t } = useText();
  const { slug, title, description, privacy, memberCount, permissions } = community;
  return (
    <header>
      <div className="h-24 overflow-hidden border-b border-line sm:h-36 md:h-44">
        <Cover slug={slug} src={community.cover?.url} alt={community.cover?.alt} />
      </div>
      <div className="page grid justify-items-start gap-x-10 gap-y-5 pt-7 pb-6 sm:grid-cols-[minmax(18rem,1fr)_fit-content(20rem)] sm:items-end">
        <div className="max-w-2xl min-w-0">
          <h1 dir="auto" className="text-4xl md:text-5xl">
            {title}
          </h1>
          <p dir="auto" className="mt-2 text-lg text-muted">
            {description}
          </p>
          <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
            <Link to={`/communities/${slug}/members`} className="link py-0.5">
              {t('community.members_count', { count: memberCount })}
            </Link>
            <span className="py-0.5">
              {t(privacy.startsWith('closed') ? 'community.privacy_closed' : 'community.privacy_open')}
            </span>
          </p>
          {children}
        </div>
        <Join community={{ ...community, canJoin: permissions.canJoin }} isSignedIn={isSignedIn} />
      </div>
    </header>
  );
}

/** Breadcrumb back to the community. */
export function CommunityCrumb({ slug, title }: { slug: string; title: string }) {
  const { t } = useText();
  return (
    <nav aria-label={t('community.you_are_in')} className="text-sm">
      <Link
        to={`/communities/${slug}`}
        className="inline-flex items-center gap-2.5 py-1 font-semibold hover:text-accent"
      >
        <span className="h-7 w-11 overflow-hidden rounded">
          <Cover slug={slug} />
        </span>
        <span dir="auto">{title}</span>
      </Link>
    </nav>
  );
}
