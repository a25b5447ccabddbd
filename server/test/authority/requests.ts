import { accountRequests } from './account.requests.ts';
import { communityRequests } from './community.requests.ts';
import { courseRequests } from './course.requests.ts';
import { officeRequests } from './office.requests.ts';
import type { Cell, Sent } from './world.ts';

/** By the name of a row of the table: a valid request for it, about things that were made for it. */
export type Requests = Record<string, (cell: Cell) => Sent | Promise<Sent>>;

export const REQUESTS: Requests = { ...accountRequests, ...communityRequests, ...courseRequests, ...officeRequests };

/** The request of a row. */
export async function requestOf(row: string, cell: Cell): Promise<Sent> {
  const request = REQUESTS[row];
  if (!request) throw new Error(`Nothing in *.requests.ts says how to ask for "${row}".`);
  return await request(cell);
}
