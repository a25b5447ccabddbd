import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Avatar } from './avatar.tsx';

export type Person = {
  id: string;
  name: string;
  thumbnail: string | null;
  jobTitle: string | null;
  organization: string | null;
};

/** The id of people who are no longer there. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** A name that leads to its person. */
export function PersonLink({ id, name, className = 'title-link inline-block py-0.5' }: { id: string; name: string; className?: string }) {
  if (id === NOBODY) return <bdi>{name}</bdi>;
  return (
    <Link to={`/people/${id}`} className={className}>
      <bdi>{name}</bdi>
    </Link>
  );
}

type BylineProps = { person: Person; size?: number; /** Beside the name: when, how long. */ children?: ReactNode };

/** Who this is or wrote this: face, name and what they do. */
export function Byline({ person, size = 44, children }: BylineProps) {
  const work = workOf(person);
  return (
    <div className="flex items-start gap-3">
      <Avatar name={person.name} src={person.thumbnail} size={size} />
      <div className="min-w-0 text-sm text-muted">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-base font-semibold text-ink">
            <PersonLink id={person.id} name={person.name} />
          </span>
          {children}
        </p>
        {work ? <p dir="auto">{work}</p> : null}
      </div>
    </div>
  );
}

/** "Policy analyst, Ministry of Digital Affairs", or what of it is known. */
export function workOf({ jobTitle, organization }: Pick<Person, 'jobTitle' | 'organization'>): string {
  return [jobTitle, organization].filter(Boolean).join(' · ');
}
