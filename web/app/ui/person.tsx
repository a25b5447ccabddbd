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

/** The id of people whose account was deleted: they have no page. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Whether two posts have one author; unknown, thus false, for deleted accounts. */
export function isSamePerson(id: string, other: string): boolean {
  return id === other && id !== NOBODY;
}

/** A person as search engines read it (schema.org), for JSON-LD. */
export function factsOfPerson({ id, name }: { id: string; name: string }, origin: string) {
  return { '@type': 'Person', name, ...(id === NOBODY ? {} : { url: `${origin}/people/${id}` }) };
}

type LinkProps = { id: string; name: string; /** It stands in a `LinkArea`. */ isPlain?: boolean };

/** A name that leads to its person. */
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
  /** Of the face, in pixels. */
  size?: AvatarSize;
  /** It stands in a `LinkArea`. */
  isPlain?: boolean;
  /** Beside the name: when, how long. */
  children?: ReactNode;
};

/** Who this is or wrote this: face, name and what they do. */
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

/** "Policy analyst, Ministry of Digital Affairs", or what of it is known. */
export function workOf({ jobTitle, organization }: Pick<Person, 'jobTitle' | 'organization'>): string {
  return [jobTitle, organization].filter(Boolean).join(' · ');
}
