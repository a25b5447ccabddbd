import { reportContent } from '@officium/contract/moderation';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });

it('accepts twenty reports an hour from one person under concurrent requests', async () => {
  const { db } = test.ctx;
  const community = await makeCommunity(db);
  const [one, two, owner] = [await makePerson(test), await makePerson(test), await makePerson(test)];
  await makeMember(db, community, owner, { role: 'owner' });
  for (const person of [one, two]) await makeMember(db, community, person);
  const posts = await Promise.all(Array.from({ length: 23 }, () => makeActivity(db, community, owner)));
  const report = async ({ as }: typeof one, id: string | undefined) =>
    await test.call(reportContent, as, {
      body: { community: community.slug, kind: 'activity', id, reason: 'spam' },
    });
  const answers = await Promise.all(posts.map((id) => report(one, id)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  expect((await report(two, posts[0])).status).toBe(201);
  const kept = await db.selectFrom('content_reports').select('id').where('user_id', '=', one.id).execute();
  expect(kept).toHaveLength(20);
});
