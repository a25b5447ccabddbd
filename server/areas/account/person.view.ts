import type { Person } from '@officium/contract/account';
import type { z } from 'zod';
import { canSeeProfile } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';

/** Columns of `users` needed to show a person. */
export const PERSON_COLUMNS = ['id', 'name', 'image_thumbnail', 'job_title', 'organization', 'visibility'] as const;

export type PersonRow = {
  id: string;
  name: string;
  image_thumbnail: string | null;
  job_title: string | null;
  organization: string | null;
  visibility: string;
};

/**
 * A person as shown beside their posts and actions (`peer`, `actor`). Viewers who may not see the profile get only the
 * name. Without a viewer, the profile's visibility alone decides.
 */
export function toPerson(row: PersonRow, viewer?: Viewer, isConnected = false): z.output<typeof Person> {
  const visibility = row.visibility as 'default' | 'public' | 'private'; // guaranteed by the column's check constraint
  const isSeen =
    viewer === undefined
      ? visibility !== 'private'
      : canSeeProfile(viewer, { userId: row.id, visibility }, isConnected);
  return {
    id: row.id,
    name: row.name,
    thumbnail: isSeen ? row.image_thumbnail : null,
    jobTitle: isSeen ? row.job_title : null,
    organization: isSeen ? row.organization : null,
  };
}
