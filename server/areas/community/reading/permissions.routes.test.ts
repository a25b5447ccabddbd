import * as contract from '@officium/contract/community';
import { reportContent } from '@officium/contract/moderation';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeReaction } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;
const memberOf = membersIn(test);

type Can = Record<'edit' | 'delete' | 'moderate' | 'react' | 'reply' | 'report', boolean>;

const community = await makeCommunity(db);
const { slug } = community;
const people = {
  reader: await memberOf(community, { level: 1 }),
  member: await memberOf(community),
  'another member': await memberOf(community),
  moderator: await memberOf(community, { level: 3 }),
  'another moderator': await memberOf(community, { level: 3 }),
  owner: await memberOf(community, { role: 'owner' }),
  'another owner': await memberOf(community, { role: 'owner' }),
  administrator: await makePerson(test, { role: 'administrator' }),
};
const stranger = await makePerson(test);
const authors = ['member', 'moderator', 'owner', 'administrator'] as const;

const isDone = ({ status }: { status: number }) => status < 300;

/** The statuses of every operation on a post or reply, tried by one person; the deletion comes last. */
async function tryAll(who: TestPerson, { kind, id }: { kind: 'activity' | 'reaction'; id: string }): Promise<Can> {
  const params = { slug, id };
  const react = kind === 'activity' ? contract.createActivityReaction : contract.createChildReaction;
  const edit =
    kind === 'activity'
      ? test.call(contract.updateActivity, who.as, { params, body: { title: 'Edited' } })
      : test.call(contract.updateReaction, who.as, { params, body: { body: 'Edited' } });
  const done = {
    edit: isDone(await edit),
    moderate: isDone(await test.call(react, who.as, { params, body: { kind: 'pin' } })),
    react: isDone(await test.call(react, who.as, { params, body: { kind: 'like' } })),
    reply: isDone(await test.call(react, who.as, { params, body: { kind: 'reply', body: 'So?' } })),
    report: isDone(await test.call(reportContent, who.as, { body: { community: slug, kind, id, reason: 'spam' } })),
  };
  const remove = kind === 'activity' ? contract.deleteActivity : contract.deleteReaction;
  return { ...done, delete: isDone(await test.call(remove, who.as, { params })) };
}

describe('the permissions in an answer', () => {
  for (const viewer of Object.keys(people) as (keyof typeof people)[])
    it(`match what the operations allow ${viewer}`, async () => {
      const who = people[viewer];
      for (const author of authors) {
        const id = await makeActivity(db, community, people[author], { title: 'Said' });
        const { body: post } = await test.call(contract.readActivity, who.as, { params: { slug, id } });
        const { body: feed } = await test.call(contract.listActivities, who.as, { params: { slug } });
        expect(feed.results.find((one: { id: string }) => one.id === id).can).toEqual(post.can);
        const replyId = await makeReaction(db, community, { activityId: id }, people[author]);
        const { body: page } = await test.call(contract.listActivityReactions, who.as, { params: { slug, id } });
        expect({ author, can: page.results[0].can }).toEqual({
          author,
          can: await tryAll(who, { kind: 'reaction', id: replyId }),
        });
        expect({ author, can: post.can }).toEqual({ author, can: await tryAll(who, { kind: 'activity', id }) });
      }
    });

  it('let non-members only report what they can read, and anonymous viewers nothing', async () => {
    const id = await makeActivity(db, community, people.member);
    const nothing = { edit: false, delete: false, moderate: false, react: false, reply: false, report: false };
    for (const [as, can] of [
      [stranger.as, { ...nothing, report: true }],
      [{}, nothing],
    ] as const) {
      const { body } = await test.call(contract.readActivity, as, { params: { slug, id } });
      expect(body.can).toEqual(can);
      const { body: feed } = await test.call(contract.listActivities, as, { params: { slug } });
      expect(feed.results.find((one: { id: string }) => one.id === id).can).toEqual(can);
    }
    const own = await makeActivity(db, community, stranger);
    const { body } = await test.call(contract.readActivity, stranger.as, { params: { slug, id: own } });
    expect(body.can).toEqual(nothing);
  });

  it('refuse replies below the deepest level', async () => {
    const activityId = await makeActivity(db, community, people.member);
    let target: { activityId: string } | { reactionId: string } = { activityId };
    for (let depth = 1; depth <= 3; depth += 1) {
      const id: string = await makeReaction(db, community, target, people.member);
      const params = { slug, id: 'activityId' in target ? target.activityId : target.reactionId };
      const list = 'activityId' in target ? contract.listActivityReactions : contract.listChildReactions;
      const { body } = await test.call(list, people.owner.as, { params });
      expect(body.results[0].can.reply).toBe(depth < 3);
      target = { reactionId: id };
    }
  });
});
