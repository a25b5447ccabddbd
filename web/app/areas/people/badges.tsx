import { Award } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { ProfileData } from './profile-data.ts';

type Badge = { name: string; community?: { slug: string; title: string } };

/** The badges of a user with their meaning and origin. */
export function Badges({ profile }: { profile: ProfileData }) {
  const { t, rich, maybe } = useText();
  const badges = badgesOf(profile);
  if (badges.length === 0) return null;
  return (
    <section aria-labelledby="badges">
      <h2 id="badges" className="text-2xl">
        {t('people.badges')}
      </h2>
      <ul className="mt-3 grid gap-4">
        {badges.map(({ name, community }) => {
          const key = `people.badge_${name.replaceAll('-', '_')}`;
          return (
            <li key={`${name} ${community?.slug}`} className="flex items-start gap-3">
              <span className="inline-flex rounded-full bg-accent-soft p-2 text-accent">
                <Icon as={Award} size={18} />
              </span>
              <div className="min-w-0">
                <p className="font-semibold first-letter:uppercase">{maybe(key) ?? name.replaceAll('-', ' ')}</p>
                <p className="text-sm text-muted">{maybe(`${key}_text`) ?? t('people.badge_other')}</p>
                {community ? (
                  <p className="text-sm text-muted">
                    {rich('search.in', {
                      place: (
                        <Link to={`/communities/${community.slug}`} className="link">
                          <bdi>{community.title}</bdi>
                        </Link>
                      ),
                    })}
                  </p>
                ) : null}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Community badges first; communities the viewer may not see are not named. */
function badgesOf({ badges, communities }: ProfileData): Badge[] {
  const ofCommunities = Object.entries(badges.communities ?? {}).flatMap(([slug, names]) =>
    names.map((name) => ({ name, community: communities.find((one) => one.slug === slug) })),
  );
  const ofPlatform = Object.values(badges.platform ?? {}).flatMap((names) => names.map((name) => ({ name })));
  return [...ofCommunities, ...ofPlatform];
}
