import { describe, expect, it } from 'vitest';
import { makePerson } from '../factories/accounts.ts';
import { makeSubject, narrow, type Subject, SUBJECTS, type SubjectName } from './subjects.ts';
import { readRows, type Row } from './table.ts';
import * as things from './things.ts';
import { type Answer, ask, type Cell, groundOf, makeWorld, operationOf, type Sent } from './world.ts';

// What depends on who asks, and no status tells: yes, the answer shows it or the request brings it about; no, it does
// not, whether it was refused or not.
const rows = `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
  createAccount approves                  no    no    no    no    no    no    no    no    yes   yes   no    no    no
  readProfile tells the address           no    no    no    no    no    no    no    no    no    no    no    no    no
  readUserRecord tells the address        no    no    no    no    no    no    no    no    yes   no    no    no    no
  listMembers tells addresses             no    no    no    no    no    no    no    no    no    no    no    no    no
  readProfile opens a private one         no    no    no    no    no    no    no    no    yes   no    no    no    no
  searchUsers finds who is not public     no    no    no    no    no    no    no    no    yes   no    no    no    no
  readPoll counts before one voted        no    no    no    no    no    no    no    no    no    no    no    no    no
  readPoll counts in one’s own poll       no    no    no    no    no    no    no    no    no    no    no    no    no
  readActivity counts before one voted    no    no    no    no    no    no    no    no    no    no    no    no    no
  readPoll names who voted                no    no    no    no    no    no    no    no    no    no    no    no    no
`;

// The same of a community and a course that are hidden: what names them elsewhere.
const hiddenRows = `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
  listCommunities names the community     no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  readProfile names the community         no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listCommunitiesOfUser names it          no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listMembershipsOfUser names it          no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listProfileActivities tells of a post   no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listCatalogue names the course          no    no    no    no    yes   yes   yes   yes   yes   no    no    no    no
`;

const world = await makeWorld();
const { test } = world;

/** A request, and how to tell from its answer. */
type Effect = (cell: Cell) => Promise<{ sent: Sent; holds: (answer: Answer) => boolean | Promise<boolean> }>;

const makeAnother = async (visibility?: 'private') =>
  await makePerson(test, { visibility, name: things.fresh('Maya') });
const tells = (what: string) => (answer: Answer) => answer.text.includes(what);
const counts = ({ text }: Answer) => /"(votes|totalVotes|winners)":/.test(text);

/** A poll somebody voted in; its results show after voting, and its participants never. */
async function votedPoll({ community }: Cell, by: { id: string }): Promise<string> {
  const poll = await things.makePoll(test, { communityId: community.id }, by);
  await things.makeVote(test, poll, world.bystander);
  return poll.id;
}

const EFFECTS: Record<string, Effect> = {
  'createAccount approves': async () => {
    const email = things.freshEmail();
    return {
      sent: { query: { approved: true }, body: { name: 'Somebody', email } },
      holds: async () => {
        const account = await test.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
        return account?.role === 'public-servant' && account.email_proven_at !== null;
      },
    };
  },
  'readProfile tells the address': async () => {
    const { id, email } = await makeAnother();
    return { sent: { params: { id } }, holds: tells(email) };
  },
  'readUserRecord tells the address': async () => {
    const { id, email } = await makeAnother();
    return { sent: { params: { id } }, holds: tells(email) };
  },
  'listMembers tells addresses': async ({ community }) => ({
    sent: { params: { slug: community.slug } },
    holds: tells('@'),
  }),
  'readProfile opens a private one': async () => {
    const { id } = await makeAnother('private');
    return { sent: { params: { id } }, holds: tells('"visibility":"private","joinedAt":"') };
  },
  'searchUsers finds who is not public': async () => {
    const { id, name } = await makeAnother();
    return { sent: { body: { match: name } }, holds: tells(id) };
  },
  'readPoll counts before one voted': async (cell) => ({
    sent: { params: { id: await votedPoll(cell, world.owner) } },
    holds: counts,
  }),
  'readPoll counts in one’s own poll': async (cell) => ({
    sent: { params: { id: await votedPoll(cell, cell.me) } },
    holds: counts,
  }),
  'readActivity counts before one voted': async (cell) => ({
    sent: { params: { slug: cell.community.slug, id: await votedPoll(cell, world.owner) } },
    holds: counts,
  }),
  'listCommunities names the community': async ({ community }) => ({ sent: {}, holds: tells(community.slug) }),
  'readProfile names the community': async ({ community }) => ({
    sent: { params: { id: world.bystander.id } },
    holds: tells(community.slug),
  }),
  'listCommunitiesOfUser names it': async ({ community }) => ({
    sent: { params: { id: world.bystander.id } },
    holds: tells(community.slug),
  }),
  'listMembershipsOfUser names it': async ({ community }) => ({
    sent: { params: { userId: world.bystander.id } },
    holds: tells(community.slug),
  }),
  'listProfileActivities tells of a post': async ({ community }) => {
    await things.makePost(test, { communityId: community.id }, world.bystander);
    return { sent: { params: { id: world.bystander.id } }, holds: tells(community.slug) };
  },
  'listCatalogue names the course': async ({ course }) => ({ sent: {}, holds: tells(course.slug) }),
  'readPoll names who voted': async (cell) => ({
    sent: { params: { id: await votedPoll(cell, world.owner) } },
    holds: tells(world.bystander.id),
  }),
};

type Where = Parameters<typeof groundOf>[1];

async function tryCell(name: string, subjectName: SubjectName, where: Where): Promise<'yes' | 'no'> {
  const ground = groundOf(world, where);
  const subject = await makeSubject(ground, subjectName);
  return await tryEffect(name, subject, { world, ...ground, me: subject.person ?? (await makePerson(test)) });
}

async function tryEffect(name: string, subject: Pick<Subject, 'as' | 'headers'>, cell: Cell): Promise<'yes' | 'no'> {
  const prepare = EFFECTS[name];
  if (!prepare) throw new Error(`EFFECTS does not say how to tell "${name}".`);
  const { sent, holds } = await prepare(cell);
  return (await holds(await ask(test, subject, operationOf(name), sent))) ? 'yes' : 'no';
}

async function tryRow({ name, cells }: Row, where: Where): Promise<void> {
  const tried = await Promise.all(
    SUBJECTS.map(async (subject) => [subject, await tryCell(name, subject, where)] as const),
  );
  expect(Object.fromEntries(tried)).toEqual(cells);
}

const HIDDEN: Where = { community: 'hidden', course: 'hidden' };
const effects = readRows({ title: 'effects', rows });
const hiddenEffects = readRows({ title: 'effects on what is hidden', rows: hiddenRows });

describe('what no status tells', () => {
  it.each(effects)('$name', async (row) => await tryRow(row, {}));
  it.each(hiddenEffects)('of what is hidden: $name', async (row) => await tryRow(row, HIDDEN));

  it('a token that leaves what is hidden out is told no more of it than a stranger', async () => {
    const ground = groundOf(world, HIDDEN);
    for (const { name } of hiddenEffects) {
      const { person } = await makeSubject(ground, 'moderator');
      const me = person!; // a moderator is a person
      const narrowed = { as: await narrow(test, me, { communities: {}, courses: {} }), headers: {} };
      expect([name, await tryEffect(name, narrowed, { world, ...ground, me })]).toEqual([name, 'no']);
    }
  });

  it('can be told: whoever voted is shown the counts', async () => {
    const ground = groundOf(world, {});
    const member = await makeSubject(ground, 'member');
    const me = member.person!; // a member is a person
    const poll = await things.makePoll(test, { communityId: ground.community.id }, world.owner);
    await things.makeVote(test, poll, me);
    expect(counts(await ask(test, member, operationOf('readPoll'), { params: { id: poll.id } }))).toBe(true);
  });
});
