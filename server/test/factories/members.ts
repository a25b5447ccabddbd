import type { TestApp } from '../app.ts';
import { makePerson, type TestPerson } from './accounts.ts';
import { makeMember } from './communities.ts';

type Membership = Parameters<typeof makeMember>[3] & { who?: Parameters<typeof makePerson>[1] };

/** Creates people who are members of a community. */
export function membersIn(test: TestApp): (community: { id: string }, given?: Membership) => Promise<TestPerson> {
  return async (community, { who, ...membership } = {}) => {
    const person = await makePerson(test, who);
    await makeMember(test.ctx.db, community, person, membership);
    return person;
  };
}
