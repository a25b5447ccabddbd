import { createActivity, createActivityReaction } from '@officium/contract/community';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const { db } = test.ctx;
const community = await makeCommunity(db);
const { slug } = community;
const people = await Promise.all(Array.from({ length: 60 }, () => makePerson(test)));
await Promise.all(people.map((person) => makeMember(db, community, person)));
const [caller, other] = [people[0]!, people[1]!]; // there are sixty
const calls = (from: number, to: number) => ({
  verb: 'post',
  body: people
    .slice(from, to)
    .map(({ id }) => `{{${id}}}`)
    .join(' '),
});

it('fifty people an hour are called by one person, in however many texts at once; the rest is refused and tells nobody', async () => {
  const answers = await Promise.all(
    [0, 10, 20, 30, 40, 50].map((from) =>
      test.call(createActivity, caller.as, { params: { slug }, body: calls(from, from + 10) }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_000);
  const told = await db.selectFrom('notifications').select('user_id').where('event', '=', 'mention').execute();
  expect(told.length).toBeLessThanOrEqual(50);

  const on = await makeActivity(db, community, other);
  const reply = { kind: 'reply', body: `{{${other.id}}}` };
  const again = await test.call(createActivityReaction, caller.as, { params: { slug, id: on }, body: reply });
  expect(again.status).toBe(429);
  const silent = await test.call(createActivity, caller.as, {
    params: { slug },
    body: { verb: 'post', body: 'Nobody' },
  });
  expect(silent.status).toBe(201);
  expect((await test.call(createActivity, other.as, { params: { slug }, body: calls(2, 4) })).status).toBe(201);
});

it('a text that calls eleven is refused', async () => {
  const answer = await test.call(createActivity, other.as, { params: { slug }, body: calls(0, 11) });
  expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'body']);
});
