import type { Connection } from '@officium/contract/account';
import type { z } from 'zod';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Status } from './connection.policy.ts';
import { toPerson } from './person.view.ts';

/** A connection with the columns of the other user. */
export type ConnectionRow = {
  connection_id: string;
  asker_id: string;
  status: Status;
  connected_at: Date;
  changed_at: Date;
  id: string;
  name: string;
  image_thumbnail: string | null;
  job_title: string | null;
  organization: string | null;
  visibility: string;
};

/** Only an accepted connection opens a private profile. */
export function toConnection(row: ConnectionRow, viewer: UserViewer): z.output<typeof Connection> {
  return {
    id: row.connection_id,
    peerId: row.id,
    status: row.status,
    direction: row.asker_id === viewer.id ? 'outgoing' : 'incoming',
    peer: toPerson(row, viewer, row.status === 'accepted'),
    createdAt: row.connected_at.toISOString(),
    updatedAt: row.changed_at.toISOString(),
  };
}
