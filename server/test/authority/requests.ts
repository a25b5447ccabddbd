import { accountRequests } from './account.requests.ts';
import { communityRequests } from './community.requests.ts';
import { courseRequests } from './course.requests.ts';
import { officeRequests } from './office.requests.ts';
import type { Cell, Sent } from './fixture.ts';

/** A valid request for each row of the table, with freshly created objects. */
export type Requests = Record<string, (cell: Cell) => Sent | Promise<Sent>>;

export const REQUESTS: Requests = { ...accountRequests, ...communityRequests, ...courseRequests, ...officeRequests };

/** The request of a row. */
export async function requestOf(row: string, cell: Cell): Promise<Sent> {
  const request = REQUESTS[row];
  if (!request) throw new Error(`*.requests.ts has no request for "${row}".`);
  return await request(cell);
}
