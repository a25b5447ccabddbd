import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Avatar, type AvatarSize } from './avatar.tsx';

export type Person = {
  id: string;
  name: string;
  thumbnail: string | null;
  jobTitle: string | null;
  organization: string | null;
};

/** The id of all deleted users, who have no profile. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Whether two posts have the same author; false for deleted users, because it is unknown. */
export function isSamePerson(id: string, other: string): boolean {
  return id === other && id !== NOBODY;
}

/** A person as schema.org data, for JSON-LD. */
export function factsOfPerson({ id, name }: { id: string; name: string }, origin: string) {
  return { '@type': 'Person', name, ...(id === NOBODY ? {} : { url: `${origin}/people/${id}` }) };
}

type LinkProps = { id: string; name: string; /** It is inside a `LinkArea`. */ isPlain?: boolean };

/** A name that links to the profile. */
export function PersonLink({ id, name, isPlain }: LinkProps) {
  if (id === NOBODY) return <bdi>{name}</bdi>;
  const className = 'title-link inline-block max-w-full py-0.5 wrap-anywhere';
  const to = `/people/${id}`;
  if (isPlain)
    return (
      <a href={to} className={className}>
        <bdi>{name}</bdi>
      </a>
    );
  return (
    <Link to={to} className={className}>
      <bdi>{name}</bdi>
    </Link>
  );
}

type BylineProps = {
  person: Person;
  /** Size of the avatar in pixels. */
  size?: AvatarSize;
  /** It is inside a `LinkArea`. */
  isPlain?: boolean;
  /** Shown beside the name: date, duration. */
  children?: ReactNode;
};

/** An author or user: avatar, name and job. */
export function Byline({ person, size = 44, isPlain, children }: BylineProps) {
  const work = workOf(person);
  return (
    <div className="flex max-w-full min-w-0 items-start gap-3">
      <Avatar name={person.name} src={person.thumbnail} size={size} />
      <div className="min-w-0 text-sm text-muted">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="min-w-0 text-base font-semibold text-ink">
            <PersonLink id={person.id} name={person.name} isPlain={isPlain} />
          </span>
          {children}
        </p>
        {work ? (
          <p>
            <bdi>{work}</bdi>
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** "Policy analyst, Ministry of Digital Affairs", or the known part of it. */
export function workOf({ jobTitle, organization }: Pick<Person, 'jobTitle' | 'organization'>): string {
  return [jobTitle, organization].filter(Boolean).join(' · ');
}
