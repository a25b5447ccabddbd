import type { Person } from '@officium/contract/account';
import type { z } from 'zod';
import { canSeeProfile } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';

/** The columns of `users` a person is made of. */
export const PERSON_COLUMNS = ['id', 'name', 'image_thumbnail', 'job_title', 'organization', 'visibility'] as const;

export type PersonRow = {
  id: string;
  name: string;
  image_thumbnail: string | null;
  job_title: string | null;
  organization: string | null;
  visibility: string;
};

/** Asked by somebody we know nothing of but that they are signed in. */
const SOMEBODY = undefined;

/**
 * A person as they stand beside what they say or do (`peer`, `actor`). Whoever may not see their profile sees the name
 * only; without a viewer that is decided by the profile alone.
 */
export function toPerson(
  row: PersonRow,
  viewer: Viewer | undefined = SOMEBODY,
  isConnected = false,
): z.output<typeof Person> {
  const visibility = row.visibility as 'default' | 'public' | 'private'; // the column's check says so
  const isSeen =
    viewer === SOMEBODY ? visibility !== 'private' : canSeeProfile(viewer, { userId: row.id, visibility }, isConnected);
  return {
    id: row.id,
    name: row.name,
    thumbnail: isSeen ? row.image_thumbnail : null,
    jobTitle: isSeen ? row.job_title : null,
    organization: isSeen ? row.organization : null,
  };
}
