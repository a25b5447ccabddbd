import { Link } from 'react-router';
import { readProfile } from '@officium/contract/account';
import { loadSignedIn } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/profile.page';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer, locale } = await loadSignedIn(request, context);
  const profile = await api(readProfile, { params: { id: params.id }, query: { locale } });
  return { profile, isOwn: profile.id === viewer.id };
}

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { profile, isOwn } = loaderData;
  const { t } = useText();
  const isHidden = profile.visibility === 'private' && profile.joinedAt === null;
  const badges = Object.values({ ...profile.badges.platform, ...profile.badges.communities }).flat();
  return (
    <article className="page max-w-read py-10 md:py-14">
      <Head title={profile.name} isPrivate />
      <header className="flex flex-wrap items-center gap-6">
        <Avatar name={profile.name} src={profile.image?.full} size={112} />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-4xl">
            <bdi>{profile.name}</bdi>
          </h1>
          <p className="mt-1 text-lg text-muted" dir="auto">
            {[profile.jobTitle, profile.organization].filter(Boolean).join(' · ')}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-4 text-muted">
            {profile.location ? <span dir="auto">{profile.location.en}</span> : null}
            {profile.joinedAt ? (
              <span>
                {t('people.joined')} <Time value={profile.joinedAt} />
              </span>
            ) : null}
          </p>
          {isOwn ? (
            <LinkButton to="/me/settings" look="secondary" className="mt-4">
              {t('people.edit_profile')}
            </LinkButton>
          ) : null}
        </div>
      </header>
      {isHidden ? <p className="mt-8 text-muted">{t('people.private')}</p> : null}
      {profile.biography ? (
        <p className="mt-8 whitespace-pre-line font-serif text-lg" dir="auto">
          {profile.biography}
        </p>
      ) : isOwn ? (
        <p className="mt-8 text-muted">{t('people.no_biography')}</p>
      ) : null}
      {badges.length ? (
        <section className="mt-10" aria-labelledby="badges">
          <h2 id="badges" className="text-2xl">
            {t('people.badges')}
          </h2>
          <ul className="mt-3 flex flex-wrap gap-2">
            {badges.map((badge) => (
              <li key={badge}>
                <Tag look="accent">
                  <span className="inline-block first-letter:uppercase">{badge.replaceAll('-', ' ')}</span>
                </Tag>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {profile.communities.length ? (
        <section className="mt-10" aria-labelledby="communities">
          <h2 id="communities" className="text-2xl">
            {t('common.communities')}
          </h2>
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {profile.communities.map((community) => (
              <li key={community.slug} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <Link className="link" to={`/communities/${community.slug}`} dir="auto">
                  {community.title}
                </Link>
                {community.role === 'owner' ? <Tag>{t('people.owner')}</Tag> : null}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </article>
  );
}
