import { deleteActivity, updateActivity } from '@officium/contract/community';
import { createLessonActivity } from '@officium/contract/lesson-discussions';
import { createPoll } from '@officium/contract/polls';
import { translatePayload } from '@officium/contract/translation';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const bare = await createTestApp();

const open = await makeCommunity(db);
const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
const closed = await makeCommunity(db, { privacy: 'closed-visible' });
const member = await makePerson(test);
for (const community of [open, hidden, closed]) await makeMember(db, community, member);
const stranger = await makePerson(test);

const translate = (
  id: string,
  person?: TestPerson,
  { locale = 'en', payloadType = 'activity_payload' }: { locale?: string; payloadType?: unknown } = {},
) => test.call(translatePayload, person?.as, { params: { id, locale }, body: { payloadType } });
const reaction = { payloadType: 'reaction_payload' };

const post = await makeActivity(db, open, member, { title: 'Title', body: 'What **I** said', locale: 'en' });
const secret = await makeActivity(db, hidden, member, { title: 'Secret' });
const reply = await makeReaction(db, open, { activityId: post }, member, { body: 'Right', locale: 'fr' });
const secretReply = await makeReaction(db, hidden, { activityId: secret }, member, { body: 'Hush' });

describe('translatePayload', () => {
  it('gives what is written in that language as it is', async () => {
    const answer = await translate(post, stranger);
    expect(answer.status).toBe(200);
    expect(translatePayload.replies[200].strict().parse(answer.body)).toEqual({
      title: 'Title',
      body: 'What **I** said',
    });
    const inFrench = await translate(reply, member, { ...reaction, locale: 'fr' });
    expect([inFrench.status, inFrench.body]).toEqual([200, { title: null, body: 'Right' }]);
  });

  it('is 503 without a provider', async () => {
    const answer = await translate(post, member, { locale: 'de' });
    expect([answer.status, answer.body.code]).toEqual([503, 'translation_unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('translates title and body with one', async () => {
    bare.ctx.translation = {
      translate: async ({ content, source, target }) => `${source}→${target} ${String(content)}`,
    };
    const maya = await makePerson(bare);
    const community = await makeCommunity(bare.ctx.db);
    const id = await makeActivity(bare.ctx.db, community, maya, { title: 'Title', body: `Ask {{${maya.id}}}` });
    const sent = { params: { id, locale: 'ja' }, body: { payloadType: 'activity_payload' } };
    const answer = await bare.call(translatePayload, maya.as, sent);
    expect([answer.status, answer.body]).toEqual([200, { title: 'en→ja Title', body: `en→ja Ask {{${maya.id}}}` }]);
    bare.ctx.translation = { translate: async () => 'Ask them' };
    const german = { ...sent, params: { id, locale: 'de' } };
    for (let n = 0; n < 2; n++) {
      const spoilt = await bare.call(translatePayload, maya.as, german);
      expect([spoilt.status, spoilt.body.code]).toEqual([502, 'invalid_translation']);
    }
    bare.ctx.translation = { translate: async ({ content }) => `Frag ${String(content)}` };
    expect((await bare.call(translatePayload, maya.as, german)).status).toBe(200);
  });

  it('asks a provider once for all readers, and again when the text was changed', async () => {
    const asked: unknown[] = [];
    bare.ctx.translation = {
      translate: async ({ content, target }) => {
        asked.push([content, target]);
        return `${target}: ${String(content)}`;
      },
    };
    const people = [await makePerson(bare), await makePerson(bare)] as const;
    const community = await makeCommunity(bare.ctx.db);
    for (const person of people) await makeMember(bare.ctx.db, community, person);
    const id = await makeActivity(bare.ctx.db, community, people[0], { title: null, body: 'Read me once' });
    const read = async (person: TestPerson, locale = 'fr') =>
      await bare.call(translatePayload, person.as, {
        params: { id, locale },
        body: { payloadType: 'activity_payload' },
      });
    const answers = await Promise.all([...people, ...people, ...people].map((person) => read(person)));
    for (const { body } of answers) expect(body).toEqual({ title: null, body: 'fr: Read me once' });
    expect(asked).toEqual([['Read me once', 'fr']]);
    expect((await read(people[0], 'de')).body.body).toBe('de: Read me once');

    const params = { slug: community.slug, id };
    const edited = await bare.call(updateActivity, people[0].as, { params, body: { body: 'Read me again' } });
    expect(edited.status).toBe(200);
    expect((await read(people[1])).body.body).toBe('fr: Read me again');
    await bare.call(deleteActivity, people[0].as, { params });
    expect((await read(people[1])).status).toBe(404);
    expect(asked).toHaveLength(3);
  });

  it('answers for the hidden as for the unknown', async () => {
    for (const locale of ['en', 'de']) {
      const unknown = await translate(newId(), stranger, { locale });
      for (const answer of [
        await translate(secret, stranger, { locale }),
        await translate(secretReply, stranger, { ...reaction, locale }),
        await translate(reply, stranger, { locale }), // not an activity
      ]) {
        expect(answer.status).toBe(404);
        expect({ ...answer.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
      }
    }
    expect((await translate(secret, member)).status).toBe(200);
    expect((await translate(secretReply, member, reaction)).status).toBe(200);
  });

  it('keeps what is for members from others who see the page', async () => {
    const inside = await makeActivity(db, closed, member, { title: 'Inside' });
    expect((await translate(inside, stranger)).status).toBe(403);
    expect((await translate(reply, stranger, { ...reaction, locale: 'fr' })).status).toBe(403);
  });

  it('does not know what was deleted', async () => {
    const gone = await makeActivity(db, open, member);
    await db.updateTable('activities').set({ deleted_at: new Date() }).where('id', '=', gone).execute();
    expect((await translate(gone, member)).status).toBe(404);
  });

  it('gives a lesson discussion to those who are in the lesson', async () => {
    const course = await makeCourse(test);
    await enrol(test, member, course.journey);
    const params = { courseId: course.id, journeyId: course.journey.id, lessonId: course.journey.lessons[0]!.id };
    const made = await test.call(createLessonActivity, member.as, {
      params,
      body: { body: { en: 'In English', fr: 'En français' } },
    });
    const id = made.body.activityId;
    expect((await translate(id, member, { locale: 'fr' })).body).toEqual({ title: null, body: 'En français' });
    expect((await translate(id, member, { locale: 'de' })).status).toBe(503);
    expect((await translate(id, stranger, { locale: 'fr' })).status).toBe(403);
  });

  it('gives a poll on a private profile to nobody else', async () => {
    const shy = await makePerson(test, { visibility: 'private' });
    const made = await test.call(createPoll, shy.as, {
      body: {
        title: 'Tea?',
        options: [
          { position: 1, body: 'Yes' },
          { position: 2, body: 'No' },
        ],
      },
    });
    expect((await translate(made.body.id, shy)).body).toEqual({ title: 'Tea?', body: null });
    expect((await translate(made.body.id, stranger)).status).toBe(404);
  });

  it('refuses malformed requests in the body of translations', async () => {
    for (const answer of [
      await translate(post, member, { payloadType: 'poll' }),
      await translate(post, member, { locale: 'xx' }),
      await translate('none', member),
      await translate(post, member, { payloadType: null }),
    ])
      expect([answer.status, answer.body.code, Object.keys(answer.body)]).toEqual([
        400,
        'invalid_request',
        ['error', 'code'],
      ]);
    expect((await translate(post)).status).toBe(401);
  });
});
