import { describe, expect, it } from 'vitest';
import { makePerson } from '../factories/accounts.ts';
import { makeSubject, narrow, type Subject, SUBJECTS, type SubjectName } from './subjects.ts';
import { readRows, type Row } from './table.ts';
import * as things from './things.ts';
import { type Answer, ask, type Cell, contextOf, makeFixture, operationOf, type Sent } from './fixture.ts';

// Effects that depend on the viewer but not on the status. yes: the response shows it or the request causes it. no: it
// does not, whether the request was refused or not.
const rows = `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
  createAccount approves                  no    no    no    no    no    no    no    no    yes   yes   no    no    no
  readProfile returns the address         no    no    no    no    no    no    no    no    no    no    no    no    no
  readUserRecord returns the address      no    no    no    no    no    no    no    no    yes   no    no    no    no
  listMembers returns addresses           no    no    no    no    no    no    no    no    no    no    no    no    no
  readProfile shows a private one         no    no    no    no    no    no    no    no    yes   no    no    no    no
  searchUsers finds non-public people     no    no    no    no    no    no    no    no    yes   no    no    no    no
  readPoll counts before voting           no    no    no    no    no    no    no    no    no    no    no    no    no
  readPoll counts in an own poll          no    no    no    no    no    no    no    no    no    no    no    no    no
  readActivity counts before voting       no    no    no    no    no    no    no    no    no    no    no    no    no
  readPoll names voters                   no    no    no    no    no    no    no    no    no    no    no    no    no
`;

// The same for a hidden community and course: responses elsewhere that name them.
const hiddenRows = `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
  listCommunities names the community     no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  readProfile names the community         no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listCommunitiesOfUser names it          no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listMembershipsOfUser names it          no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listProfileActivities lists a post      no    no    no    no    yes   yes   yes   yes   yes   no    no    no    yes
  listCatalogue names the course          no    no    no    no    yes   yes   yes   yes   yes   no    no    no    no
`;

const fixture = await makeFixture();
const { test } = fixture;

/** A request, and a check of its response. */
type Effect = (cell: Cell) => Promise<{ sent: Sent; holds: (answer: Answer) => boolean | Promise<boolean> }>;

const makeAnother = async (visibility?: 'private') =>
  await makePerson(test, { visibility, name: things.fresh('Maya') });
const contains = (what: string) => (answer: Answer) => answer.text.includes(what);
const counts = ({ text }: Answer) => /"(votes|totalVotes|winners)":/.test(text);

/** A poll with one vote. Results show after voting, participants never. */
async function votedPoll({ community }: Cell, by: { id: string }): Promise<string> {
  const poll = await things.makePoll(test, { communityId: community.id }, by);
  await things.makeVote(test, poll, fixture.bystander);
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
  'readProfile returns the address': async () => {
    const { id, email } = await makeAnother();
    return { sent: { params: { id } }, holds: contains(email) };
  },
  'readUserRecord returns the address': async () => {
    const { id, email } = await makeAnother();
    return { sent: { params: { id } }, holds: contains(email) };
  },
  'listMembers returns addresses': async ({ community }) => ({
    sent: { params: { slug: community.slug } },
    holds: contains('@'),
  }),
  'readProfile shows a private one': async () => {
    const { id } = await makeAnother('private');
    return { sent: { params: { id } }, holds: contains('"visibility":"private","joinedAt":"') };
  },
  'searchUsers finds non-public people': async () => {
    const { id, name } = await makeAnother();
    return { sent: { body: { match: name } }, holds: contains(id) };
  },
  'readPoll counts before voting': async (cell) => ({
    sent: { params: { id: await votedPoll(cell, fixture.owner) } },
    holds: counts,
  }),
  'readPoll counts in an own poll': async (cell) => ({
    sent: { params: { id: await votedPoll(cell, cell.me) } },
    holds: counts,
  }),
  'readActivity counts before voting': async (cell) => ({
    sent: { params: { slug: cell.community.slug, id: await votedPoll(cell, fixture.owner) } },
    holds: counts,
  }),
  'listCommunities names the community': async ({ community }) => ({ sent: {}, holds: contains(community.slug) }),
  'readProfile names the community': async ({ community }) => ({
    sent: { params: { id: fixture.bystander.id } },
    holds: contains(community.slug),
  }),
  'listCommunitiesOfUser names it': async ({ community }) => ({
    sent: { params: { id: fixture.bystander.id } },
    holds: contains(community.slug),
  }),
  'listMembershipsOfUser names it': async ({ community }) => ({
    sent: { params: { userId: fixture.bystander.id } },
    holds: contains(community.slug),
  }),
  'listProfileActivities lists a post': async ({ community }) => {
    await things.makePost(test, { communityId: community.id }, fixture.bystander);
    return { sent: { params: { id: fixture.bystander.id } }, holds: contains(community.slug) };
  },
  'listCatalogue names the course': async ({ course }) => ({ sent: {}, holds: contains(course.slug) }),
  'readPoll names voters': async (cell) => ({
    sent: { params: { id: await votedPoll(cell, fixture.owner) } },
    holds: contains(fixture.bystander.id),
  }),
};

type Where = Parameters<typeof contextOf>[1];

async function tryCell(name: string, subjectName: SubjectName, where: Where): Promise<'yes' | 'no'> {
  const context = contextOf(fixture, where);
  const subject = await makeSubject(context, subjectName);
  return await tryEffect(name, subject, { fixture, ...context, me: subject.person ?? (await makePerson(test)) });
}

async function tryEffect(name: string, subject: Pick<Subject, 'as' | 'headers'>, cell: Cell): Promise<'yes' | 'no'> {
  const prepare = EFFECTS[name];
  if (!prepare) throw new Error(`EFFECTS has no check for "${name}".`);
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
const hiddenEffects = readRows({ title: 'hidden effects', rows: hiddenRows });

describe('effects beyond the status', () => {
  it.each(effects)('$name', async (row) => await tryRow(row, {}));
  it.each(hiddenEffects)('hidden: $name', async (row) => await tryRow(row, HIDDEN));

  it('a token that omits the hidden places shows no more than a stranger sees', async () => {
    const context = contextOf(fixture, HIDDEN);
    for (const { name } of hiddenEffects) {
      const { person } = await makeSubject(context, 'moderator');
      const me = person!; // a moderator is a person
      const narrowed = { as: await narrow(test, me, { communities: {}, courses: {} }), headers: {} };
      expect([name, await tryEffect(name, narrowed, { fixture, ...context, me })]).toEqual([name, 'no']);
    }
  });

  it('someone who voted sees the counts', async () => {
    const context = contextOf(fixture, {});
    const member = await makeSubject(context, 'member');
    const me = member.person!; // a member is a person
    const poll = await things.makePoll(test, { communityId: context.community.id }, fixture.owner);
    await things.makeVote(test, poll, me);
    expect(counts(await ask(test, member, operationOf('readPoll'), { params: { id: poll.id } }))).toBe(true);
  });
});
