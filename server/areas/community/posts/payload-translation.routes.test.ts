import { deleteActivity, deleteReaction, updateActivity, updateReaction } from '@officium/contract/community';
import { createLessonActivity } from '@officium/contract/lesson-discussions';
import { createPoll } from '@officium/contract/polls';
import { readPayloadTranslation, translatePayload } from '@officium/contract/translation';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { engineOf } from '#server/test/factories/translation.ts';

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
  it('returns a text unchanged in its own language', async () => {
    const answer = await translate(post, stranger);
    expect(answer.status).toBe(200);
    expect(translatePayload.replies[200].strict().parse(answer.body)).toEqual({
      title: 'Title',
      body: 'What **I** said',
    });
    const inFrench = await translate(reply, member, { ...reaction, locale: 'fr' });
    expect([inFrench.status, inFrench.body]).toEqual([200, { title: null, body: 'Right' }]);
  });

  it('returns 503 without a provider', async () => {
    const answer = await translate(post, member, { locale: 'de' });
    expect([answer.status, answer.body.code]).toEqual([503, 'translation_unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('translates title and body', async () => {
    bare.ctx.translation = engineOf(async ({ content, source, target }) => `${source}→${target} ${String(content)}`);
    const maya = await makePerson(bare);
    const community = await makeCommunity(bare.ctx.db);
    const id = await makeActivity(bare.ctx.db, community, maya, { title: 'Title', body: `Ask {{${maya.id}}}` });
    const sent = { params: { id, locale: 'ja' }, body: { payloadType: 'activity_payload' } };
    const answer = await bare.call(translatePayload, maya.as, sent);
    expect([answer.status, answer.body]).toEqual([200, { title: 'en→ja Title', body: `en→ja Ask {{${maya.id}}}` }]);
    bare.ctx.translation = engineOf(async () => 'Ask them');
    const german = { ...sent, params: { id, locale: 'de' } };
    for (let n = 0; n < 2; n++) {
      const spoilt = await bare.call(translatePayload, maya.as, german);
      expect([spoilt.status, spoilt.body.code]).toEqual([502, 'invalid_translation']);
    }
    bare.ctx.translation = engineOf(async ({ content }) => `Frag ${String(content)}`);
    expect((await bare.call(translatePayload, maya.as, german)).status).toBe(200);
  });

  it('asks the provider once for all viewers, and again after the text changed', async () => {
    const asked: unknown[] = [];
    bare.ctx.translation = engineOf(async ({ content, target }) => {
      asked.push([content, target]);
      return `${target}: ${String(content)}`;
    });
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

  it('answers for hidden texts as for unknown ones', async () => {
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

  it('refuses members-only replies to other viewers of the page', async () => {
    const inside = await makeActivity(db, closed, member, { title: 'Inside' });
    expect((await translate(inside, stranger)).status).toBe(403);
    expect((await translate(reply, stranger, { ...reaction, locale: 'fr' })).status).toBe(403);
  });

  it('returns 404 for deleted texts', async () => {
    const gone = await makeActivity(db, open, member);
    await db.updateTable('activities').set({ deleted_at: new Date() }).where('id', '=', gone).execute();
    expect((await translate(gone, member)).status).toBe(404);
  });

  it('returns a lesson discussion only to enrolled users', async () => {
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

  it('returns a poll on a private profile only to its owner', async () => {
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

  it('refuses malformed requests', async () => {
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

describe('readPayloadTranslation', () => {
  const read = (id: string, person?: TestPerson, { locale = 'en', payloadType = 'activity_payload' } = {}) =>
    test.call(readPayloadTranslation, person?.as, { params: { id, locale }, query: { payloadType } });
  const kept = async (id: string) => {
    const { rows } = await sql<{ part: string; target: string; translation: string }>`
      select part, target, translation from machine_translations where thing_id = ${id} order by target, part`.execute(
      db,
    );
    return rows.map(({ part, target, translation }) => `${target} ${part.split(':')[0]}: ${translation}`);
  };
  /** A provider that answers in capitals and counts its requests. */
  const loud = (name = 'a test') => {
    const asked: unknown[] = [];
    test.ctx.translation = engineOf(
      async ({ content }) => {
        asked.push(content);
        return String(content).replace(/[a-z](?![^{]*\}\})/g, (letter) => letter.toUpperCase());
      },
      { nameOf: () => name },
    );
    return asked;
  };

  it('returns 503 without a provider, and 502 when the answer is no translation', async () => {
    delete test.ctx.translation;
    expect((await read(post, member, { locale: 'de' })).body.code).toBe('translation.unavailable');
    const wary = await makeActivity(db, open, member, { title: null, body: 'Read [this](https://a.org) `now`' });
    for (const spoilt of ['Lies das', 'Lies [das](https://b.org) `now`', 'Lies [das](https://a.org) `jetzt`', '', 7]) {
      test.ctx.translation = engineOf(async () => spoilt);
      const answer = await read(wary, member, { locale: 'de' });
      expect([answer.status, answer.body.code]).toEqual([502, 'translation.invalid']);
    }
    expect(await kept(wary)).toEqual([]);
  });

  it('names the provider and the source language, with the body as HTML', async () => {
    loud();
    const id = await makeActivity(db, open, member, { title: 'Plan', body: `Ask {{${member.id}}} **now**` });
    const answer = await read(id, stranger, { locale: 'de' });
    expect(answer.status).toBe(200);
    expect(readPayloadTranslation.replies[200].strict().parse(answer.body)).toEqual({
      title: 'PLAN',
      bodyHtml: `<p>ASK {{${member.id}}} <strong>NOW</strong></p>\n`,
      options: [],
      source: 'en',
      locale: 'de',
      machine: true,
    });
    expect((await read(id, stranger)).body).toMatchObject({ title: 'Plan', machine: false, locale: 'en' });
    expect((await read(reply, member, { locale: 'de', payloadType: 'reaction_payload' })).body).toMatchObject({
      title: null,
      bodyHtml: '<p>RIGHT</p>\n',
      source: 'fr',
      machine: true,
    });
  });

  it('translates the options of a poll with its question', async () => {
    const asked = loud();
    const options = [
      { position: 1, body: 'Yes' },
      { position: 2, body: 'No' },
    ];
    const made = await test.call(createPoll, member.as, { body: { title: 'Tea?', options } });
    const { body } = await read(made.body.id, stranger, { locale: 'it' });
    expect(body).toMatchObject({ title: 'TEA?', bodyHtml: null, machine: true });
    expect(body.options).toEqual(
      made.body.optionIds.map((id: string, at: number) => ({ id, body: ['YES', 'NO'][at] })),
    );
    expect(asked).toHaveLength(3);
  });

  it('caches a translation for all nodes until the text or the provider changes', async () => {
    const asked = loud();
    const id = await makeActivity(db, open, member, { title: 'Title', body: 'Words' });
    for (const person of [member, stranger, member]) await read(id, person, { locale: 'de' });
    expect(asked).toHaveLength(2);
    expect(await kept(id)).toEqual(['de body: WORDS', 'de title: TITLE']);
    const again = loud('another engine');
    await read(id, member, { locale: 'de' });
    expect(again).toEqual(['Title', 'Words']);
    const params = { slug: open.slug, id };
    await test.call(updateActivity, member.as, { params, body: { title: 'Title', body: 'Other words' } });
    expect(await kept(id)).toEqual([]);
    expect((await read(id, member, { locale: 'de' })).body.bodyHtml).toBe('<p>OTHER WORDS</p>\n');
    await test.call(deleteActivity, member.as, { params });
    expect(await kept(id)).toEqual([]);
  });

  it('drops the translation of a reply that was changed or deleted', async () => {
    loud();
    const id = await makeReaction(db, open, { activityId: post }, member, { body: 'First' });
    const params = { slug: open.slug, id };
    await read(id, member, { locale: 'de', payloadType: 'reaction_payload' });
    expect(await kept(id)).toEqual(['de body: FIRST']);
    await test.call(updateReaction, member.as, { params, body: { body: 'Second' } });
    expect(await kept(id)).toEqual([]);
    await read(id, member, { locale: 'de', payloadType: 'reaction_payload' });
    await test.call(deleteReaction, member.as, { params });
    expect(await kept(id)).toEqual([]);
  });

  it('stores no translation of a text that changed or was deleted during the request', async () => {
    for (const change of ['edit', 'delete'] as const) {
      const thinking = Promise.withResolvers<string>();
      const begun = Promise.withResolvers<void>();
      test.ctx.translation = engineOf(async () => {
        begun.resolve();
        return await thinking.promise;
      });
      const id = await makeActivity(db, open, member, { title: null, body: 'Before' });
      const reading = read(id, stranger, { locale: 'de' });
      await begun.promise;
      const params = { slug: open.slug, id };
      if (change === 'edit') await test.call(updateActivity, member.as, { params, body: { body: 'After' } });
      else await test.call(deleteActivity, member.as, { params });
      thinking.resolve('Vorher');
      expect((await reading).status).toBe(200);
      expect(await kept(id)).toEqual([]);
    }
  });

  it('prefers an original in the requested language to a machine translation', async () => {
    const asked = loud();
    const course = await makeCourse(test);
    await enrol(test, member, course.journey);
    const params = { courseId: course.id, journeyId: course.journey.id, lessonId: course.journey.lessons[0]!.id };
    const texts = { en: 'In English', fr: 'En **français**' };
    const made = await test.call(createLessonActivity, member.as, { params, body: { body: texts } });
    const id = made.body.activityId;
    expect((await read(id, member, { locale: 'fr' })).body).toMatchObject({
      bodyHtml: '<p>En <strong>français</strong></p>\n',
      source: 'fr',
      machine: false,
    });
    expect(asked).toEqual([]);
    expect((await read(id, member, { locale: 'de' })).body).toMatchObject({ source: 'en', machine: true });
  });

  it('limits a user to 120 machine translations an hour; cached ones are free', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    limited.ctx.translation = engineOf(async ({ content }) => `Ja ${String(content)}`);
    const viewer = await makePerson(limited);
    const place = await makeCommunity(limited.ctx.db);
    const ids = await Promise.all(
      [1, 2].map(async (n) => await makeActivity(limited.ctx.db, place, viewer, { title: null, body: `Text ${n}` })),
    );
    const ask = async (id: string) =>
      await limited.call(readPayloadTranslation, viewer.as, {
        params: { id, locale: 'de' },
        query: { payloadType: 'activity_payload' },
      });
    await sql`insert into rate_limits (key, window_start, used) values (${`translate:${viewer.id}`}, now(), 119)`.execute(
      limited.ctx.db,
    );
    expect((await ask(ids[0]!)).status).toBe(200); // two were made
    const refused = await ask(ids[1]!);
    expect([refused.status, refused.body.code]).toEqual([429, 'request.too_many']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(ids[0]!)).status).toBe(200);
  });

  it('requires access to the text', async () => {
    loud();
    expect((await read(secret, stranger, { locale: 'de' })).status).toBe(404);
    expect((await read(secret, member, { locale: 'de' })).body.title).toBe('SECRET');
    // Cached by now, and still for members only.
    expect((await read(secret, stranger, { locale: 'de' })).status).toBe(404);
    expect((await read(post)).status).toBe(401);
  });
});
