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
import { OWN_RECORDS } from '../authority/narrowed.operations.ts';
import type { TestPerson } from '../factories/accounts.ts';
import { makeMember } from '../factories/communities.ts';
import { exportOf } from './exports.ts';
import { READ, RECORDS_READING, type Seen, walk } from './walk.ts';
import { ownWritesAt, SAYS_OWN, writesAt, WRITTEN } from './writes.ts';
import { type Caller, CALLERS, NO_SLUG, type Secret } from './planting.ts';
import { makeFixture } from './fixture.ts';

vi.setConfig({ testTimeout: 120_000 }); // each walk is thousands of requests
const test = await createTestApp({}, { countsAnswers: false });
const fixture = await makeFixture(test);

/** Reading operations that return nothing in this fixture, and why. */
const WITHOUT_RESULT: Record<string, string> = {
  readLinkPreview: 'local pages have no public address',
  downloadCalendarFeed: 'nobody in it has a calendar address',
  openUnsubscribe: 'it redirects to a page',
};

const everything = new Map<Caller, Seen[]>();
const walkAgain = async (callers: readonly Caller[]) => {
  for (const caller of callers) everything.set(caller, await walk(test, fixture, caller));
};
beforeAll(() => walkAgain(CALLERS));

/** Expects unchanged responses for these callers, including headers, length and order. */
async function expectNothingShows(callers: readonly Caller[]): Promise<void> {
  const former = new Map(everything);
  await walkAgain(callers);
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
  it('gets a success from every reading operation', () => {
    const successful = new Set(
      [...everything.values()].flat().flatMap(({ operation, status }) => (status < 300 ? [operation] : [])),
    );
    const names = READ.map((endpoint) => endpoint.name);
    expect(names.filter((name) => !successful.has(name))).toEqual(Object.keys(WITHOUT_RESULT));
  });

  it('causes no internal error', () => {
    const isFailure = ({ status, text }: Seen) => status >= 500 && !text.includes('translation_unavailable');
    const failed = [...everything.values()].flat().filter(isFailure);
    expect(failed.map(({ operation, input, status }) => [operation, input, status])).toEqual([]);
  });

  it('shows their own data to the victim and the administrator', () => {
    const texts = (caller: Caller) =>
      everything
        .get(caller)!
        .map(({ text }) => text)
        .join('\n');
    const unseen = fixture.secrets.filter(
      ({ text, seenBy }) => seenBy.length > 0 && !seenBy.some((caller) => texts(caller).includes(text)),
    );
    expect(unseen.map(({ what }) => what)).toEqual([]);
  });
});

function mayHave({ seenBy, unlessNamed }: Secret, caller: Caller, input: string): boolean {
  return seenBy.includes(caller) || unlessNamed.some((name) => input.includes(`"${name}"`));
}

describe('secrets reach only those who may see them', () => {
  it.each(CALLERS)('for %s', (caller) => {
    const found = everything.get(caller)!.flatMap((answer) =>
      fixture.secrets
        .filter((secret) => !mayHave(secret, caller, answer.input))
        .filter(({ text }) => answer.text.includes(text) || answer.headers.includes(text))
        .map(({ what }) => `${what}: ${answer.operation} ${answer.input}`),
    );
    expect(found).toEqual([]);
  });

  it.each(CALLERS.filter((caller) => caller !== 'administrator'))(
    'no e-mail address of another person for %s',
    (caller) => {
      const own = caller === 'anonymous' ? '' : fixture.people[caller].email;
      const found = everything
        .get(caller)!
        .flatMap(({ operation, input, text }) =>
          (text.match(/[\w.+-]+@[\w-]+\.\w+/g) ?? [])
            .filter((email) => email !== own && !(caller === 'victim' && email.startsWith('zzreferredzz')))
            .map((email) => `${email}: ${operation} ${input}`),
        );
      expect(found).toEqual([]);
    },
  );
});

/** Callers who may see nothing of the victim, and a sample with one of each kind. */
const OTHERS = CALLERS.filter((caller) => caller !== 'victim' && caller !== 'administrator');
const SOME_OTHERS = ['anonymous', 'stranger', 'member', 'owner'] as const;

describe('hidden objects answer like missing ones', () => {
  it.each(OTHERS)('for %s', (caller) => {
    const seen = everything.get(caller)!;
    const keyOf = ({ operation, input }: Seen) => `${operation} ${input}`;
    const answers = new Map(seen.map((answer) => [keyOf(answer), answer]));
    const different = seen.flatMap((answer) =>
      fixture.unknown
        .filter((name) => answer.input.includes(`"${name}"`))
        .map(
          (name) =>
            [
              answer,
              answers.get(keyOf({ ...answer, input: answer.input.replace(`"${name}"`, `"${NO_SLUG}"`) })),
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

const { victim } = fixture.people;

describe('hidden events change no response', () => {
  const vote = async (voter: TestPerson, optionId: string | undefined) => {
    const { status, body } = await test.call(castVote, voter.as, { params: { id: optionId }, body: { note: 'mine' } });
    expect(status).toBe(201);
    return body.id as string;
  };

  it('votes in a poll with hidden results, not even for its author and administrators', async () => {
    for (const [nth, voter] of fixture.voters.entries()) await vote(voter, fixture.poll.optionIds[nth % 3]);
    await expectNothingShows([...SOME_OTHERS, 'administrator']);
    const { body } = await test.call(readPoll, fixture.voters[0]!.as, { params: { id: fixture.poll.id } });
    expect(body.poll.totalVotes).toBe(50);
    const { body: log } = await test.call(listAuditLog, fixture.people.administrator.as, { query: { limit: 100 } });
    const voters = new Set(fixture.voters.map(({ id }) => id));
    expect(log.entries.filter(({ actor }: { actor: string }) => voters.has(actor))).toEqual([]);
  });

  it('the identity of voters in an anonymous poll', async () => {
    const [one, other] = fixture.voters;
    await test.call(retractVote, one!.as, { params: { id: fixture.openVoteId } });
    await vote(other!, fixture.openPoll.optionIds[0]);
    await expectNothingShows([...SOME_OTHERS, 'administrator']);
  });

  it('posts, votes and members of a hidden community', async () => {
    const { slug, postId, optionIds } = fixture.hidden;
    const { body: post } = await test.call(createActivity, victim.as, { params: { slug }, body: { body: 'News' } });
    for (const kind of ['like', 'reply', 'pin'])
      await test.call(createActivityReaction, victim.as, {
        params: { slug, id: post.id },
        body: { kind, body: 'And' },
      });
    const options = [1, 2].map((position) => ({ position, body: `Option ${position}` }));
    await test.call(createCommunityPoll, victim.as, { params: { slug }, body: { title: 'Another?', options } });
    await vote(victim, optionIds[1]);
    const guest = fixture.voters[0]!;
    await makeMember(test.ctx.db, fixture.hidden, guest);
    await test.call(createActivityReaction, guest.as, { params: { slug, id: postId }, body: { kind: 'like' } });
    await expectNothingShows(SOME_OTHERS);
  });

  it('reports and reporters of one’s own content', async () => {
    const { openPostId, openReplyId } = fixture;
    await walkAgain(['victim']);
    const things = [
      { community: 'plaza', kind: 'activity', id: openPostId },
      { community: 'plaza', kind: 'reaction', id: openReplyId },
    ];
    for (const thing of things) {
      const answer = await test.call(reportContent, fixture.voters[2]!.as, { body: { ...thing, reason: 'insult' } });
      expect(answer.status).toBe(201);
    }
    await expectNothingShows(['victim', 'stranger', 'member']);
    await walkAgain(['owner']); // the owner moderates
  });

  it('learning and discussions in a private course', async () => {
    const { lesson, lessonSlug, courseSlug, journeySlug } = fixture.closed;
    const slugs = { courseSlug, journeySlug, lessonSlug };
    expect((await test.call(completeLesson, victim.as, { params: slugs })).status).toBe(204);
    const said = await test.call(createLessonActivity, victim.as, { params: lesson, body: { body: { en: 'More' } } });
    expect(said.status).toBe(201);
    await expectNothingShows(SOME_OTHERS);
  });

  it('changes of a private profile', async () => {
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
    'finds nobody for %s by the content of a private profile',
    async (caller) => {
      const unseen = fixture.secrets.filter(({ seenBy }) => !seenBy.includes(caller));
      const words = [...unseen.map(({ text }) => text), 'Vera Victim', 'Quite another life'];
      for (const match of words) {
        const { body } = await test.call(searchUsers, fixture.people[caller].as, {
          body: { match: match.slice(0, 256) },
        });
        expect([match, body.total]).toEqual([match, 0]);
      }
    },
  );
});

/** Planted secrets of others that appear in replies to writes. */
async function shownBy(writes: ReturnType<typeof writesAt>, caller: Caller): Promise<string[]> {
  const as = caller === 'anonymous' ? {} : fixture.people[caller].as;
  const found: string[] = [];
  for (const [endpoint, sent] of writes) {
    const { body } = await test.call(endpoint, as, sent);
    const [text, input] = [JSON.stringify(body ?? ''), JSON.stringify(sent)];
    for (const secret of fixture.secrets)
      // Replies may echo the request, such as the slug of a community that refused the share.
      if (!secret.seenBy.includes(caller) && text.includes(secret.text) && !input.includes(secret.text))
        found.push(`${secret.what}: ${endpoint.name}`);
  }
  return found;
}

describe('answers to writes', () => {
  it('are checked for every operation that returns data of others', () => {
    const looked = new Set(writesAt(fixture, fixture.people.stranger).map(([endpoint]) => endpoint.name));
    expect(WRITTEN.filter(({ name }) => !looked.has(name) && !SAYS_OWN.includes(name)).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it('are checked for every operation on own records', () => {
    const input = [...ownWritesAt(fixture), ...writesAt(fixture, fixture.people.stranger)].map(([{ name }]) => name);
    expect(OWN_RECORDS.filter((name) => !input.includes(name))).toEqual([]);
  });

  it.each(OTHERS)('show %s no secret either', async (caller) => {
    expect(await shownBy(writesAt(fixture, fixture.people.stranger), caller)).toEqual([]);
  });

  it('on own records reveal and change nothing in places that the token omits', async () => {
    const held = async () => [
      (await test.call(readMyLearning, victim.as)).body,
      (await test.call(listThreads, victim.as)).body.threads.filter(({ lesson }: { lesson: unknown }) => lesson),
      (await test.call(listUserReferrals, victim.as, { params: { userId: 'me' } })).body,
      // Notifications about cohorts belong to the account, not to a place.
      (await test.call(listNotifications, victim.as, { query: { limit: 100 } })).body.notifications.filter(
        ({ event }: { event: string }) => event !== 'cohort_membership',
      ),
    ];
    const before = await held();
    expect(await shownBy(ownWritesAt(fixture), 'narrowed')).toEqual([]);
    expect(await held()).toEqual(before);
  });
});

/** The owner's own texts, and the administrator's cohort and file. */
const isTheirOwn = (caller: Caller, what: string) =>
  caller === 'owner' ? what.startsWith('usual') : caller === 'administrator' && ['cohort', 'file'].includes(what);

describe('a data export', () => {
  // The stranger's contains their own posts in a community they left.
  const exporters = CALLERS.filter((caller) => !['anonymous', 'victim', 'narrowed', 'stranger'].includes(caller));
  it.each(exporters)('of %s contains no data of others', async (caller) => {
    const { as, email } = fixture.people[caller as keyof typeof fixture.people]; // not anonymous
    const text = await exportOf(test, as);
    expect(text).toContain(email);
    const hidden = fixture.secrets.filter(({ what }) => !isTheirOwn(caller, what));
    expect(hidden.filter((secret) => text.includes(secret.text)).map(({ what }) => what)).toEqual([]);
    expect((text.match(/[\w.+-]+@[\w-]+\.\w+/g) ?? []).filter((address) => address !== email)).toEqual([]);
  });
});
