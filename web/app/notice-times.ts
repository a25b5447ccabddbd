import type { PageSite } from './server/page-context.ts';

type Notices = PageSite['notices'];

/** A changed notice has another key, and is shown again to people who dismissed it. */
export const keyOf = ({ id, version }: Pick<Notices[number], 'id' | 'version'>) => `${id}.${version}`;

/** The notices between their start and their end. */
export function shownAt(notices: Notices, now: number): Notices {
  return notices.filter(
    ({ startsAt, endsAt }) => startsAt.getTime() <= now && (endsAt === null || endsAt.getTime() > now),
  );
}

/** The cookie with the notices that this device has dismissed. */
export const DISMISSED = 'dismissed-notices';
