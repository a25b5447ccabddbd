import {
  createPiece,
  listCommunityOwners,
  nameCommunityOwner,
  removeCommunityOwner,
} from '@officium/contract/authoring';
import { updateMember } from '@officium/contract/community';
import { listNotifications } from '@officium/contract/notifications';
import { newId } from '#server/db/client.ts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

async function begin() {
  const community = await makeCommunity(db);
  const { rows } = await sql<{ key: string }>`
    select entry_id as key from communities where slug = ${community.slug}`.execute(db);
  return { community, key: rows[0]?.key ?? '' };
}
const list = async (key: string) => (await test.call(listCommunityOwners, admin.as, { params: { key } })).body.owners;
const name = async (key: string, email: string) =>
  await test.call(nameCommunityOwner, admin.as, { params: { key }, body: { email } });
const remove = async (key: string, email: string) =>
  await test.call(removeCommunityOwner, admin.as, { params: { key, email } });
const members = async (slug: string) =>
  (await sql<{ n: number }>`select member_count as n from communities where slug = ${slug}`.execute(db)).rows[0]?.n;

it('adds owners by e-mail address and stores claims for addresses without an account', async () => {
  const { key, community } = await begin();
  const maya = await makePerson(test, { name: 'Maya' });
  const later = `later-${newId()}@example.gov`;
  const named = await name(key, maya.email.toUpperCase());
  expect([named.status, named.body.owners]).toEqual([201, [{ email: maya.email, name: 'Maya', userId: maya.id }]]);
  expect((await name(key, later)).body.owners).toContainEqual({ email: later, name: null, userId: null });
  expect((await name(key, later)).body.owners).toHaveLength(2);
  expect((await name(key, maya.email)).body.owners).toHaveLength(2);
  expect(await members(community.slug)).toBe(1);
  expect((await remove(key, later)).status).toBe(204);
  expect(await list(key)).toHaveLength(1);
});

it('tells somebody else who becomes an owner, also a member', async () => {
  const { key, community } = await begin();
  const [maya, noor] = [await makePerson(test, { name: 'Maya' }), await makePerson(test, { name: 'Noor' })];
  const told = async (person: TestPerson) =>
    (await test.call(listNotifications, person.as)).body.notifications.map(({ event, path }: any) => [event, path]); // tests know them
  await makeMember(db, community, noor);
  await name(key, maya.email);
  const owner = ['community_membership', `/communities/${community.slug}/members`];
  expect(await told(maya)).toEqual([owner]);
  await name(key, maya.email);
  expect(await told(maya)).toHaveLength(1);
  const params = { slug: community.slug, userId: noor.id };
  expect((await test.call(updateMember, maya.as, { params, body: { role: 'owner' } })).status).toBe(200);
  expect(await told(noor)).toEqual([owner]);
  expect((await test.call(updateMember, noor.as, { params, body: { role: 'member' } })).status).toBe(200);
  expect(await told(noor)).toEqual([['community_membership', `/communities/${community.slug}`]]);
  await name(key, admin.email);
  expect((await told(admin)).filter(([event]: string[]) => event === 'community_membership')).toEqual([]);
});

it('demotes an owner to a member, but not the last one', async () => {
  const { key, community } = await begin();
  const [maya, noor] = [await makePerson(test, { name: 'Maya' }), await makePerson(test, { name: 'Noor' })];
  await makeMember(db, community, maya);
  await name(key, maya.email);
  await name(key, `later-${newId()}@example.gov`);
  const refused = await remove(key, maya.email);
  expect([refused.status, refused.body.code]).toEqual([409, 'community.last_owner']);
  await name(key, noor.email);
  const answers = await Promise.all([remove(key, maya.email), remove(key, noor.email)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  const { rows } = await sql<{ role: string }>`
    select role from community_members where user_id in (${maya.id}, ${noor.id}) order by role`.execute(db);
  expect(rows).toEqual([{ role: 'member' }, { role: 'owner' }]);
});

it('refuses unknown communities, drafts and people who are not owners', async () => {
  const { key } = await begin();
  const missing = [
    await test.call(listCommunityOwners, admin.as, { params: { key: 'nowhere' } }),
    await name('nowhere', admin.email),
    await remove('nowhere', admin.email),
    await remove(key, `nobody-${newId()}@example.gov`),
  ];
  expect(missing.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  const draft = await test.call(createPiece, admin.as, {
    body: { kind: 'community', slug: `begun-${newId().slice(-12)}`, title: 'Begun' },
  });
  expect(await list(draft.body.key)).toEqual([]);
  expect((await name(draft.body.key, admin.email)).body.code).toBe('content.not_live');
  expect((await remove(draft.body.key, admin.email)).status).toBe(404);
});
