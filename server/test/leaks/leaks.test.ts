import { updateProfile } from '@officium/contract/account';
import { listThreads } from '@officium/contract/ai';
import { listAuditLog } from '@officium/contract/audit';
import { createActivity, createActivityReaction } from '@officium/contract/community';
import { completeLesson, readMyLearning } from '@officium/contract/learner';
import { createLessonActivity } from '@officium/contract/lesson-discussions';
import { reportContent } from '@officium/contract/moderation';
import { listNotifications } from '@officium/contract/notifications';
import { searchUsers } from '@officium/contract/people';
import { listUserReferrals } from '@officium/contract/people-records';
import { castVote, createCommunityPoll, readPoll, retractVote } from '@officium/contract/polls';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp } from '../app.ts';
import { OF_ONES_OWN } from '../authority/narrowed.operations.ts';
import type { TestPerson } from '../factories/accounts.ts';
import { makeMember } from '../factories/communities.ts';
import { exportOf } from './exports.ts';
import { READ, RECORDS_READING, type Seen, walk } from './walk.ts';
import { ownWritesAt, SAYS_OWN, writesAt, WRITTEN } from './writes.ts';
import { type Caller, CALLERS, NO_SLUG, type Secret } from './planting.ts';
import { makeWorld } from './world.ts';

vi.setConfig({ testTimeout: 120_000 }); // each look is thousands of requests
const test = await createTestApp({}, { countsAnswers: false });
const world = await makeWorld(test);

/** Reading operations nobody gets anything from here, and why. */
const EMPTY_HANDED: Record<string, string> = {
  readLinkPreview: 'a page of ours has no public address',
  openUnsubscribe: 'it leads to a page',
};

const everything = new Map<Caller, Seen[]>();
const lookAgain = async (callers: readonly Caller[]) => {
  for (const caller of callers) everything.set(caller, await walk(test, world, caller));
};
beforeAll(() => lookAgain(CALLERS));

/** That what happened shows in no answer to these callers, nor in its headers, length and order. */
async function expectNothingShows(callers: readonly Caller[]): Promise<void> {
  const former = new Map(everything);
  await lookAgain(callers);
  const changed = callers.flatMap((caller) =>
    everything.get(caller)!.flatMap((after, nth) => {
      const before = former.get(caller)![nth];
      const isSame = JSON.stringify(after) === JSON.stringify(before);
      return isSame || RECORDS_READING.includes(after.operation) ? [] : [{ caller, before, after }];
    }),
  );
  expect(changed).toEqual([]);
}

describe('the walk', () => {
  it('gets something of every reading operation', () => {
    const successful = new Set(
      [...everything.values()].flat().flatMap(({ operation, status }) => (status < 300 ? [operation] : [])),
    );
    const names = READ.map((endpoint) => endpoint.name);
    expect(names.filter((name) => !successful.has(name))).toEqual(Object.keys(EMPTY_HANDED));
  });

  it('meets no failure of ours', () => {
    const isFailure = ({ status, text }: Seen) => status >= 500 && !text.includes('translation_unavailable');
    const failed = [...everything.values()].flat().filter(isFailure);
    expect(failed.map(({ operation, asked, status }) => [operation, asked, status])).toEqual([]);
  });

  it('shows the victim and the administrator what is theirs', () => {
    const texts = (caller: Caller) =>
      everything
        .get(caller)!
        .map(({ text }) => text)
        .join('\n');
    const unseen = world.secrets.filter(
      ({ text, seenBy }) => seenBy.length > 0 && !seenBy.some((caller) => texts(caller).includes(text)),
    );
    expect(unseen.map(({ what }) => what)).toEqual([]);
  });
});

function mayHave({ seenBy, unlessNamed }: Secret, caller: Caller, asked: string): boolean {
  return seenBy.includes(caller) || unlessNamed.some((name) => asked.includes(`"${name}"`));
}

describe('nothing is shown beyond those it is for', () => {
  it.each(CALLERS)('to %s', (caller) => {
    const found = everything.get(caller)!.flatMap((answer) =>
      world.secrets
        .filter((secret) => !mayHave(secret, caller, answer.asked))
        .filter(({ text }) => answer.text.includes(text) || answer.headers.includes(text))
        .map(({ what }) => `${what}: ${answer.operation} ${answer.asked}`),
    );
    expect(found).toEqual([]);
  });

  it.each(CALLERS.filter((caller) => caller !== 'administrator'))('no address of another person to %s', (caller) => {
    const own = caller === 'anonymous' ? '' : world.people[caller].email;
    const found = everything
      .get(caller)!
      .flatMap(({ operation, asked, text }) =>
        (text.match(/[\w.+-]+@[\w-]+\.\w+/g) ?? [])
          .filter((email) => email !== own && !(caller === 'victim' && email.startsWith('zzreferredzz')))
          .map((email) => `${email}: ${operation} ${asked}`),
      );
    expect(found).toEqual([]);
  });
});

/** Those who may know nothing of the victim's, and of them one of each kind. */
const OTHERS = CALLERS.filter((caller) => caller !== 'victim' && caller !== 'administrator');
const SOME_OTHERS = ['anonymous', 'stranger', 'member', 'owner'] as const;

describe('what is hidden answers like what is not there', () => {
  it.each(OTHERS)('to %s', (caller) => {
    const seen = everything.get(caller)!;
    const keyOf = ({ operation, asked }: Seen) => `${operation} ${asked}`;
    const answers = new Map(seen.map((answer) => [keyOf(answer), answer]));
    const different = seen.flatMap((answer) =>
      world.unknown
        .filter((name) => answer.asked.includes(`"${name}"`))
        .map(
          (name) =>
            [
              answer,
              answers.get(keyOf({ ...answer, asked: answer.asked.replace(`"${name}"`, `"${NO_SLUG}"`) })),
            ] as const,
        )
        .filter(
          ([one, other]) =>
            other && (one.status !== other.status || one.text !== other.text || one.headers !== other.headers),
        )
        .map(([one, other]) => `${keyOf(one)}: ${one.status} ${one.text} against ${other?.status} ${other?.text}`),
    );
    expect(different).toEqual([]);
  });
});

const { victim } = world.people;

describe('what happens out of sight changes no answer', () => {
  const vote = async (voter: TestPerson, optionId: string | undefined) => {
    const { status, body } = await test.call(castVote, voter.as, { params: { id: optionId }, body: { note: 'mine' } });
    expect(status).toBe(201);
    return body.id as string;
  };

  it('fifty votes in a poll whose results are hidden, not even to its author and administrators', async () => {
    for (const [nth, voter] of world.voters.entries()) await vote(voter, world.poll.optionIds[nth % 3]);
    await expectNothingShows([...SOME_OTHERS, 'administrator']);
    const { body } = await test.call(readPoll, world.voters[0]!.as, { params: { id: world.poll.id } });
    expect(body.poll.totalVotes).toBe(50);
    const { body: log } = await test.call(listAuditLog, world.people.administrator.as, { query: { limit: 100 } });
    const voters = new Set(world.voters.map(({ id }) => id));
    expect(log.entries.filter(({ actor }: { actor: string }) => voters.has(actor))).toEqual([]);
  });

  it('who it was that voted in a poll that names nobody', async () => {
    const [one, other] = world.voters;
    await test.call(retractVote, one!.as, { params: { id: world.openVoteId } });
    await vote(other!, world.openPoll.optionIds[0]);
    await expectNothingShows([...SOME_OTHERS, 'administrator']);
  });

  it('what is said and voted, and who comes, in a hidden community', async () => {
    const { slug, postId, optionIds } = world.hidden;
    const { body: post } = await test.call(createActivity, victim.as, { params: { slug }, body: { body: 'News' } });
    for (const kind of ['like', 'reply', 'pin'])
      await test.call(createActivityReaction, victim.as, {
        params: { slug, id: post.id },
        body: { kind, body: 'And' },
      });
    const options = [1, 2].map((position) => ({ position, body: `Option ${position}` }));
    await test.call(createCommunityPoll, victim.as, { params: { slug }, body: { title: 'Another?', options } });
    await vote(victim, optionIds[1]);
    const guest = world.voters[0]!;
    await makeMember(test.ctx.db, world.hidden, guest);
    await test.call(createActivityReaction, guest.as, { params: { slug, id: postId }, body: { kind: 'like' } });
    await expectNothingShows(SOME_OTHERS);
  });

  it('that somebody reported what one wrote, and who it was', async () => {
    const { openPostId, openReplyId } = world;
    await lookAgain(['victim']);
    const things = [
      { community: 'plaza', kind: 'activity', id: openPostId },
      { community: 'plaza', kind: 'reaction', id: openReplyId },
    ];
    for (const thing of things) {
      const answer = await test.call(reportContent, world.voters[2]!.as, { body: { ...thing, reason: 'insult' } });
      expect(answer.status).toBe(201);
    }
    await expectNothingShows(['victim', 'stranger', 'member']);
    await lookAgain(['owner']); // who moderates
  });

  it('what is learned and discussed in a private course', async () => {
    const { lesson, lessonSlug, courseSlug, journeySlug } = world.closed;
    const slugs = { courseSlug, journeySlug, lessonSlug };
    expect((await test.call(completeLesson, victim.as, { params: slugs })).status).toBe(204);
    const said = await test.call(createLessonActivity, victim.as, { params: lesson, body: { body: { en: 'More' } } });
    expect(said.status).toBe(201);
    await expectNothingShows(SOME_OTHERS);
  });

  it('what somebody changes of a private profile', async () => {
    const body = {
      jobTitle: 'Another',
      organization: 'Another',
      biography: 'Quite another life',
      location: null,
      image: null,
      onboardingState: 'done',
    };
    expect((await test.call(updateProfile, victim.as, { body })).status).toBe(200);
    await expectNothingShows(SOME_OTHERS);
  });
});

describe('people search', () => {
  it.each(OTHERS.filter((caller) => caller !== 'anonymous' && caller !== 'inactive' && caller !== 'narrowed'))(
    'finds nobody for %s by what a private profile says',
    async (caller) => {
      const unseen = world.secrets.filter(({ seenBy }) => !seenBy.includes(caller));
      const words = [...unseen.map(({ text }) => text), 'Vera Victim', 'Quite another life'];
      for (const match of words) {
        const { body } = await test.call(searchUsers, world.people[caller].as, {
          body: { match: match.slice(0, 256) },
        });
        expect([match, body.total]).toEqual([match, 0]);
      }
    },
  );
});

/** Planted secrets of others that appear in replies to writes. */
async function shownBy(writes: ReturnType<typeof writesAt>, caller: Caller): Promise<string[]> {
  const as = caller === 'anonymous' ? {} : world.people[caller].as;
  const found: string[] = [];
  for (const [endpoint, sent] of writes) {
    const { body } = await test.call(endpoint, as, sent);
    const [text, asked] = [JSON.stringify(body ?? ''), JSON.stringify(sent)];
    for (const secret of world.secrets)
      // Replies may echo the request, such as the slug of a community that refused the share.
      if (!secret.seenBy.includes(caller) && text.includes(secret.text) && !asked.includes(secret.text))
        found.push(`${secret.what}: ${endpoint.name}`);
  }
  return found;
}

describe('answers to writes', () => {
  it('are looked at, of every operation that says something of others', () => {
    const looked = new Set(writesAt(world, world.people.stranger).map(([endpoint]) => endpoint.name));
    expect(WRITTEN.filter(({ name }) => !looked.has(name) && !SAYS_OWN.includes(name)).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it('are looked at, of every operation that is about one’s own', () => {
    const asked = [...ownWritesAt(world), ...writesAt(world, world.people.stranger)].map(([{ name }]) => name);
    expect(OF_ONES_OWN.filter((name) => !asked.includes(name))).toEqual([]);
  });

  it.each(OTHERS)('show %s nothing either', async (caller) => {
    expect(await shownBy(writesAt(world, world.people.stranger), caller)).toEqual([]);
  });

  it('about one’s own say nothing of what the token of the session leaves out, and leave it as it was', async () => {
    const held = async () => [
      (await test.call(readMyLearning, victim.as)).body,
      (await test.call(listThreads, victim.as)).body.threads.filter(({ lesson }: { lesson: unknown }) => lesson),
      (await test.call(listUserReferrals, victim.as, { params: { userId: 'me' } })).body,
      // Notifications about cohorts name no place; they belong to the account.
      (await test.call(listNotifications, victim.as, { query: { limit: 100 } })).body.notifications.filter(
        ({ event }: { event: string }) => event !== 'cohort_membership',
      ),
    ];
    const before = await held();
    expect(await shownBy(ownWritesAt(world), 'narrowed')).toEqual([]);
    expect(await held()).toEqual(before);
  });
});

/** What the owner wrote, and the file the administrator brought for a cohort. */
const isTheirOwn = (caller: Caller, what: string) =>
  caller === 'owner' ? what.startsWith('usual') : caller === 'administrator' && ['cohort', 'file'].includes(what);

describe('an export of one’s own data', () => {
  // The stranger's says what they themselves wrote where they were a member.
  const exporters = CALLERS.filter((caller) => !['anonymous', 'victim', 'narrowed', 'stranger'].includes(caller));
  it.each(exporters)('of %s has nothing of anybody else', async (caller) => {
    const { as, email } = world.people[caller as keyof typeof world.people]; // not anonymous
    const text = await exportOf(test, as);
    expect(text).toContain(email);
    const hidden = world.secrets.filter(({ what }) => !isTheirOwn(caller, what));
    expect(hidden.filter((secret) => text.includes(secret.text)).map(({ what }) => what)).toEqual([]);
    expect((text.match(/[\w.+-]+@[\w-]+\.\w+/g) ?? []).filter((address) => address !== email)).toEqual([]);
  });
});
