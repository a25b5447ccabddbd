import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countryName } from '../../country-names.ts';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { workOf } from '../../ui/person.tsx';
import { Time } from '../../ui/time.tsx';
import type { ProfileData } from './profile-data.ts';

type Props = { profile: ProfileData; isOwn: boolean; children?: ReactNode };

/** Header of a profile; on the viewer's own it shows the visibility and the edit link. */
export function ProfileHead({ profile, isOwn, children }: Props) {
  const { t, locale } = useText();
  const work = workOf(profile);
  return (
    <header className="flex flex-wrap items-start gap-x-8 gap-y-5">
      <Avatar name={profile.name} src={profile.image?.full} size={128} />
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-4xl md:text-5xl">
          <bdi>{profile.name}</bdi>
        </h1>
        {work ? (
          <p className="mt-2 text-lg text-muted">
            <bdi>{work}</bdi>
          </p>
        ) : null}
        <p className="mt-1 flex flex-wrap gap-x-4 text-muted">
          {/* The browser may know another name of the country. */}
          {profile.location ? (
            <bdi suppressHydrationWarning>{countryName(profile.location.code, locale) ?? profile.location.en}</bdi>
          ) : null}
          {profile.joinedAt ? (
            <span>
              {t('people.joined')} <Time value={profile.joinedAt} look="date" />
            </span>
          ) : null}
        </p>
        {profile.bioLink ? (
          <p className="mt-1">
            <a
              href={profile.bioLink}
              rel="nofollow noopener ugc"
              className="link inline-block py-1 break-all"
              dir="ltr"
            >
              {profile.bioLink.replace(/^https?:\/\//, '').replace(/\/$/, '')}
            </a>
          </p>
        ) : null}
        {isOwn ? <OwnTools profile={profile} /> : null}
        {children}
      </div>
    </header>
  );
}

function OwnTools({ profile }: { profile: ProfileData }) {
  const { t } = useText();
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        <LinkButton to="/me/settings" look="secondary">
          {t('people.edit_profile')}
        </LinkButton>
        <LinkButton to="/me/settings/picture" look="secondary">
          {t(profile.image ? 'people.change_picture' : 'people.add_picture')}
        </LinkButton>
        <LinkButton to="/me/connections" look="secondary">
          {t('people.connections')}
        </LinkButton>
      </div>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-4 text-sm text-muted">
        {t(`people.seen_by_${profile.visibility}`)}
        <Link to="/people/me?view=others" className="link inline-block py-2">
          {t('people.see_as_others')}
        </Link>
      </p>
    </>
  );
}
