import { Link } from 'react-router';
import type { Course } from './learner.ts';

/** The contacts of a course and how to reach them. */
export function Contacts({ contacts }: Pick<Course, 'contacts'>) {
  return (
    <ul className="space-y-2">
      {contacts.map(({ name, role, email, profileId }, index) => (
        <li key={index}>
          {profileId ? (
            <Link to={`/people/${profileId}`} className="link inline-block py-1" dir="auto">
              {name}
            </Link>
          ) : (
            <span className="text-ink" dir="auto">
              {name}
            </span>
          )}
          {role ? (
            <span className="block text-sm" dir="auto">
              {role}
            </span>
          ) : null}
          {email ? (
            <span className="block text-sm">
              <a
                href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
                className="link inline-block py-1 break-all"
                dir="ltr"
              >
                {email}
              </a>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
