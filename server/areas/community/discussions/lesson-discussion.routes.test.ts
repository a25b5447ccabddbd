import * as contract from '@officium/contract/lesson-discussions';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

let learner: TestPerson;
let peer: TestPerson;
let stranger: TestPerson;
let former: TestPerson;
let administrator: TestPerson;
let course: TestCourse;
let lesson: { courseId: string; journeyId: string; lessonId: string };

beforeAll(async () => {
  learner = await makePerson(test, { name: 'Ada' });
  peer = await makePerson(test, { name: 'Bo', role: 'non-public-servant' });
  stranger = await makePerson(test);
  former = await makePerson(test);
  administrator = await makePerson(test, { role: 'administrator' });
  course = await makeCourse(test, { journeys: [{}, {}] });
  const { journey } = course;
  lesson = { courseId: course.id, journeyId: journey.id, lessonId: journey.lessons[0]!.id }; // a journey of four lessons
  await enrol(test, learner, journey);
  await enrol(test, peer, journey);
  await enrol(test, former, journey, { expiresOn: new Date(Date.now() - 1000) });
});

type Params = Record<string, string>;
const create = (body: unknown, as: As = learner.as, params: Params = lesson) =>
  test.call(contract.createLessonActivity, as, { params, body });
const started = async (body: object = { en: 'What did you make of it?' }, as?: As) =>
  (await create({ body }, as)).body.activityId as string;
const read = (activityId: string, as: As = learner.as, more: { params?: Params; query?: Params } = {}) =>
  test.call(contract.readLessonActivity, as, { params: { ...lesson, activityId, ...more.params }, query: more.query });
const edit = (activityId: string, body: unknown, as: As = learner.as, params: Params = lesson) =>
  test.call(contract.updateLessonActivity, as, { params: { ...params, activityId }, body });
const react = (activityId: string, body: unknown, as: As = peer.as, params: Params = lesson) =>
  test.call(contract.createLessonReaction, as, { params: { ...params, activityId }, body });
const reply = (activityId: string, body = 'I agree', as?: As) => react(activityId, { kind: 'reply', body }, as);
const answer = (reactionId: string, body: unknown, as: As = learner.as, params: Params = lesson) =>
  test.call(contract.createLessonChildReaction, as, { params: { ...params, reactionId }, body });
const reduced = async () => ({
  token: await openSession(db, { userId: peer.id, permissions: { courses: { [course.slug]: ['reduced'] } } }),
});

/** Paths that each have one wrong part. */
const wrongPaths = (): Params[] => {
  const [first, second] = course.journeys;
  return [
    { ...lesson, lessonId: first!.lessons[1]!.id },
    { ...lesson, journeyId: second!.id },
    { ...lesson, courseId: 'nowhere' },
    { ...lesson, courseId: course.slug },
    { ...lesson, lessonId: 'nowhere' },
  ];
};

describe('createLessonActivity', () => {
  it('accepts the longest slug as the id of an object without one', async () => {
    const slug = 'a'.repeat(128);
    const long = await makeCourse(test, { journeys: [{ slug, sections: [{ lessons: [{ slug }] }] }] });
    const { key } = long.journey;
    await db.updateTable('journeys').set({ id: slug }).where('key', '=', key).execute();
    await db.updateTable('lessons').set({ id: slug }).where('journey_key', '=', key).execute();
    await enrol(test, learner, long.journey);
    const params = { courseId: long.id, journeyId: slug, lessonId: slug };
    expect((await create({ body: { en: 'Hello' } }, learner.as, params)).status).toBe(201);
    expect((await create({ body: { en: 'Hello' } }, learner.as, { ...params, lessonId: `${slug}a` })).status).toBe(400);
  });

  it('returns the id of a discussion in every language it is written in', async () => {
    const { status, body } = await create({ body: { en: ' Hello **all** ', fr: 'Bonjour', 'sr-Cyrl': 'Здраво' } });
    expect(status).toBe(201);
    const { activityId } = contract.createLessonActivity.replies[201].parse(body);
    const answered = await read(activityId);
    expect(contract.LessonDiscussion.parse(answered.body)).toEqual(answered.body);
    expect(answered.body).toMatchObject({
      id: activityId,
      body: { en: 'Hello **all**', fr: 'Bonjour', 'sr-Cyrl': 'Здраво' },
      locale: 'en',
      actor: { id: learner.id, name: 'Ada' },
      mentioned_users: {},
      reaction_counts: { like: 0, reply: 0 },
      own_reactions: {},
      pinned: false,
      can: { edit: true, delete: true, reply: true, pin: false },
    });
    expect(answered.body.bodyHtml).toContain('<strong>all</strong>');
    expect(answered.body).not.toHaveProperty('editedAt');
  });

  it('accepts only supported languages, English among them', async () => {
    const { LOCALES } = await import('@officium/contract/common');
    expect((await create({ body: Object.fromEntries(LOCALES.map((locale) => [locale, locale])) })).status).toBe(201);
    const cases: [unknown, string | undefined][] = [
      [{}, 'At least one locale must be provided'],
      [{ fr: 'Bonjour' }, 'The text in English (en) is required'],
      [{ en: 'Hi', xx: 'Hi' }, `Invalid locale provided. Valid locales are ${LOCALES.join(', ')}`],
      [{ en: ' ' }, 'String length is less than minimum allowed length of 1'],
      [{ en: 'Hi', fr: '' }, 'String length is less than minimum allowed length of 1'],
      [{ en: '<script>x</script>' }, 'String length is less than minimum allowed length of 1'],
      [{ en: 'x'.repeat(10_001) }, 'String length exceeds maximum allowed length of 10000'],
      ['Hello', undefined],
      [{ en: 5 }, undefined],
      [{ en: 'a\0b' }, undefined],
      [['Hello'], undefined],
      [null, undefined],
      [undefined, 'body is required'],
    ];
    for (const [body, message] of cases) {
      const { status, body: answer } = await create({ body });
      expect({ body, status, message: message ?? answer.message }).toEqual({
        body,
        status: 400,
        message: answer.message,
      });
    }
    expect((await create({ body: { en: '🙂'.repeat(10_000) } })).status).toBe(201);
  });

  it('sanitises the texts and finds mentions in every language', async () => {
    const ghost = newId();
    const id = await started({
      en: `Hi {{${peer.id}}} <img src=x onerror=alert(1)>`,
      de: `Hallo {{${administrator.id}}} {{${former.id}}} {{${stranger.id}}} {{${ghost}}}`,
    });
    const { body } = await read(id, learner.as, { query: { locale: 'de' } });
    expect(body.mentioned_users).toEqual({
      [peer.id]: { id: peer.id, name: 'Bo' },
      [administrator.id]: { id: administrator.id, name: administrator.name },
    });
    expect(JSON.stringify(body)).not.toContain('onerror');
    expect(body.locale).toBe('de');
    const eleven = Array.from({ length: 11 }, () => `{{${newId()}}}`).join(' ');
    expect((await create({ body: { en: eleven } })).status).toBe(400);
  });

  it('requires an active enrolment and the level basic', async () => {
    const body = { body: { en: 'Hello' } };
    expect((await create(body, {})).status).toBe(401);
    expect((await create(body, stranger.as)).status).toBe(403);
    expect((await create(body, former.as)).status).toBe(403);
    expect((await create(body, await reduced())).status).toBe(403);
    expect((await create(body, peer.as)).status).toBe(201);
    expect((await create(body, administrator.as)).status).toBe(201);
    for (const params of wrongPaths().filter(
      ({ courseId, lessonId }) => courseId !== course.id || lessonId === 'nowhere',
    ))
      expect((await create(body, administrator.as, params)).status).toBe(404);
    const hidden = await makeCourse(test, { type: 'Private' });
    const params = { courseId: hidden.id, journeyId: hidden.journey.id, lessonId: hidden.journey.lessons[0]!.id }; // four lessons
    expect((await create(body, learner.as, params)).status).toBe(404);
  });
});

describe('readLessonActivity', () => {
  it('returns the viewer’s language, or the nearest, as HTML', async () => {
    const id = await started({ en: 'Hello', fr: 'Bonjour', pt: 'Olá' });
    const shown = async (locale: string) => {
      const { body } = await read(id, learner.as, { query: { locale } });
      return [body.locale, body.bodyHtml.replace(/<[^>]+>|\n/g, '')];
    };
    expect(await shown('fr-CA')).toEqual(['fr', 'Bonjour']);
    expect(await shown('pt-BR')).toEqual(['pt', 'Olá']);
    expect(await shown('ja')).toEqual(['en', 'Hello']);
  });

  it('requires an enrolment and the right path', async () => {
    const id = await started();
    expect((await read(id, {})).status).toBe(401);
    expect((await read(id, stranger.as)).status).toBe(403);
    expect((await read(id, former.as)).status).toBe(403);
    expect((await read(id, await reduced())).status).toBe(200);
    for (const params of wrongPaths()) expect((await read(id, administrator.as, { params })).status).toBe(404);
    expect((await read(newId())).status).toBe(404);
    expect((await read('not-a-uuid')).status).toBe(400);
  });
});

describe('listLessonActivities', () => {
  it('pages through a lesson, pinned first, then newest', async () => {
    const place = { ...lesson, lessonId: course.journey.lessons[2]!.id }; // four lessons
    const ids = [];
    for (const text of ['one', 'two', 'three'])
      ids.push((await create({ body: { en: text } }, learner.as, place)).body.activityId);
    await react(ids[0], { kind: 'pin' }, administrator.as, place);
    const list = async (query: object) =>
      contract.listLessonActivities.replies[200].parse(
        (await test.call(contract.listLessonActivities, peer.as, { params: place, query: { ...query } })).body,
      );
    const first = await list({ limit: 2 });
    expect(first.results.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(first.results[0]?.pinned).toBe(true);
    expect(first).toMatchObject({ total: 3, nextOffset: 2 });
    const last = await list({ limit: 2, offset: 2 });
    expect(last.results.map(({ id }) => id)).toEqual([ids[1]]);
    expect(last.nextOffset).toBeNull();
    for (const [as, status] of [
      [{}, 401],
      [stranger.as, 403],
    ] as const)
      expect((await test.call(contract.listLessonActivities, as, { params: place })).status).toBe(status);
    expect(
      (await test.call(contract.listLessonActivities, peer.as, { params: place, query: { limit: 101 } })).status,
    ).toBe(400);
  });
});

describe('updateLessonActivity', () => {
  it('replaces the texts, by the author', async () => {
    const id = await started({ en: 'Hello', fr: 'Bonjour' });
    const { status, body } = await edit(id, { body: { en: `Hi {{${peer.id}}}`, de: 'Hallo' } });
    expect({ status, body: contract.updateLessonActivity.replies[200].parse(body) }).toEqual({
      status: 200,
      body: { updated: true },
    });
    const after = (await read(id)).body;
    expect(after.body).toEqual({ en: `Hi {{${peer.id}}}`, de: 'Hallo' });
    expect(Object.keys(after.mentioned_users)).toEqual([peer.id]);
    expect(after.editedAt).toEqual(after.updatedAt);
  });

  it('refuses everybody else, and validates like create', async () => {
    const id = await started({ en: 'Hello' }, peer.as);
    const body = { body: { en: 'Changed' } };
    expect((await edit(id, body, {})).status).toBe(401);
    expect((await edit(id, body, learner.as)).status).toBe(403);
    expect((await edit(id, body, administrator.as)).status).toBe(403);
    expect((await edit(id, body, stranger.as)).status).toBe(403);
    expect((await edit(id, body, await reduced())).status).toBe(403);
    expect((await edit(newId(), body)).status).toBe(404);
    for (const params of wrongPaths()) expect((await edit(id, body, administrator.as, params)).status).toBe(404);
    expect((await edit(id, { body: {} }, peer.as)).body.message).toBe('At least one locale must be provided');
    expect((await read(id)).body.body).toEqual({ en: 'Hello' });
  });
});

describe('deleteLessonActivity', () => {
  const remove = (activityId: string, as: As = learner.as, params: Params = lesson) =>
    test.call(contract.deleteLessonActivity, as, { params: { ...params, activityId } });

  it('is allowed to the author and moderators, and deletes the reactions too', async () => {
    for (const as of [learner.as, administrator.as]) {
      const id = await started();
      const { body: posted } = await reply(id);
      expect((await remove(id, {})).status).toBe(401);
      expect((await remove(id, peer.as)).status).toBe(403);
      for (const params of wrongPaths()) expect((await remove(id, administrator.as, params)).status).toBe(404);
      expect(await remove(id, as)).toMatchObject({ status: 200, body: { deleted: true } });
      expect((await remove(id, as)).status).toBe(404);
      expect((await read(id)).status).toBe(404);
      expect((await answer(posted.id, { kind: 'reply', body: 'Late' })).status).toBe(404);
    }
  });
});

describe('reactions in a lesson', () => {
  it('are replies and likes, counted', async () => {
    const id = await started();
    const { status, body } = await reply(id, `Yes, {{${learner.id}}}`);
    expect(status).toBe(201);
    expect(contract.createLessonReaction.replies[201].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      kind: 'reply',
      activity_id: id,
      user_id: peer.id,
      locale: 'en',
      additional_data: {},
      mentioned_users: { [learner.id]: { name: 'Ada' } },
    });
    const like = (await react(id, { kind: 'like' })).body;
    expect((await react(id, { kind: 'like' })).body.id).toBe(like.id);
    const { body: shown } = await read(id, peer.as);
    expect(shown).toMatchObject({ reaction_counts: { like: 1, reply: 1 }, own_reactions: { like: like.id } });
  });

  it('of kind reply require a body, with this message', async () => {
    const id = await started();
    const { body: posted } = await reply(id);
    for (const body of [undefined, '', '  ', '<script>x</script>']) {
      const answers = [await react(id, { kind: 'reply', body }), await answer(posted.id, { kind: 'reply', body })];
      for (const { status, body: refusal } of answers)
        expect([status, refusal.message]).toEqual([400, "Body is required when kind is 'reply'"]);
    }
    for (const kind of ['love', null, 5]) expect((await react(id, { kind, body: 'x' })).status).toBe(400);
  });

  it('follow the levels of the course', async () => {
    const id = await started();
    const few = await reduced();
    expect((await react(id, { kind: 'like' }, few)).status).toBe(201);
    expect((await reply(id, 'No', few)).status).toBe(403);
    expect((await reply(id, 'No', {})).status).toBe(401);
    expect((await reply(id, 'No', stranger.as)).status).toBe(403);
    expect((await reply(id, 'No', former.as)).status).toBe(403);
    expect((await react(id, { kind: 'pin' })).status).toBe(403);
    expect((await react(id, { kind: 'pin' }, administrator.as)).status).toBe(201);
    for (const kind of ['poll-option', 'poll-vote'])
      expect((await react(id, { kind }, administrator.as)).status).toBe(403);
  });

  it('are found through their own lesson only', async () => {
    const id = await started();
    const { body: posted } = await reply(id);
    const body = { kind: 'reply', body: 'Hello' };
    const by = administrator.as;
    for (const params of wrongPaths()) {
      const target = { params: { ...params, activityId: id } };
      const child = { params: { ...params, reactionId: posted.id } };
      const answers = [
        await react(id, body, by, params),
        await answer(posted.id, body, by, params),
        await test.call(contract.listLessonReactions, by, target),
        await test.call(contract.listLessonChildReactions, by, child),
        await test.call(contract.updateLessonReaction, by, { ...child, body: { content: 'x' } }),
        await test.call(contract.deleteLessonReaction, by, child),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    }
  });

  it('have three levels and are paged by id', async () => {
    const id = await started();
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) ids.push((await reply(id, text)).body.id);
    const list = async (query: object) => {
      const { body } = await test.call(contract.listLessonReactions, learner.as, {
        params: { ...lesson, activityId: id },
        query: { ...query },
      });
      const page = contract.listLessonReactions.replies[200].parse(body);
      return { ids: page.results.map((result) => result.id), next: page.next };
    };
    const first = await list({ limit: 2 });
    expect(first.ids).toEqual([ids[2], ids[1]]);
    expect(await list(Object.fromEntries(new URLSearchParams(first.next)))).toEqual({ ids: [ids[0]], next: undefined });
    expect((await list({ id_gt: ids[0] })).ids).toEqual([ids[1], ids[2]]);
    expect((await list({ kind: 'like' })).ids).toEqual([]);
    const both = { params: { ...lesson, activityId: id }, query: { id_gt: ids[0], id_lt: ids[2] } };
    expect((await test.call(contract.listLessonReactions, learner.as, both)).status).toBe(400);
    expect((await test.call(contract.listLessonReactions, {}, both)).status).toBe(401);
    expect((await test.call(contract.listLessonReactions, stranger.as, { params: both.params })).status).toBe(403);

    const child = (await answer(ids[0]!, { kind: 'reply', body: 'child' })).body; // three replies
    const grandchild = (await answer(child.id, { kind: 'reply', body: 'grandchild' })).body;
    expect(contract.createLessonChildReaction.replies[201].parse(child).parent_id).toBe(ids[0]);
    expect((await answer(grandchild.id, { kind: 'reply', body: 'too deep' })).status).toBe(400);
    const { body: children } = await test.call(contract.listLessonChildReactions, peer.as, {
      params: { ...lesson, reactionId: ids[0] },
    });
    expect(contract.listLessonChildReactions.replies[200].parse(children).results).toMatchObject([
      { id: child.id, children_counts: { like: 0, reply: 1 } },
    ]);
  });
});

describe('updateLessonReaction', () => {
  const change = (reactionId: string, body: unknown, as: As = peer.as) =>
    test.call(contract.updateLessonReaction, as, { params: { ...lesson, reactionId }, body });

  it("returns the reply with the author's edit", async () => {
    const id = await started();
    const { body: posted } = await react(id, { kind: 'reply', body: 'Yes', additional_data: { tone: 'kind' } });
    const { status, body } = await change(posted.id, { content: ' **Oui** ', locale: 'fr' });
    expect(status).toBe(200);
    expect(contract.updateLessonReaction.replies[200].parse(body)).toMatchObject({
      id: posted.id,
      body: '**Oui**',
      locale: 'fr',
      additional_data: { tone: 'kind' },
    });
    expect(body.editedAt).toBe(body.updatedAt);
    expect((await change(posted.id, { content: 'Non' })).body.locale).toBe('fr');
  });

  it('is allowed to the author only, and requires content', async () => {
    const id = await started();
    const { body: posted } = await reply(id);
    const body = { content: 'Changed', locale: 'en' };
    expect((await change(posted.id, body, {})).status).toBe(401);
    expect((await change(posted.id, body, learner.as)).status).toBe(403);
    expect((await change(posted.id, body, administrator.as)).status).toBe(403);
    expect((await change(posted.id, body, stranger.as)).status).toBe(403);
    expect((await change(newId(), body)).status).toBe(404);
    for (const wrong of [
      {},
      { content: '' },
      { content: '<script>x</script>' },
      { content: 5 },
      { content: 'x', locale: 'xx' },
    ])
      expect((await change(posted.id, wrong)).status).toBe(400);
    const { body: like } = await react(id, { kind: 'like' });
    expect((await change(like.id, body)).status).toBe(400);
  });
});

describe('deleteLessonReaction', () => {
  const remove = (reactionId: string, as: As = peer.as) =>
    test.call(contract.deleteLessonReaction, as, { params: { ...lesson, reactionId } });

  it('is allowed to the author and moderators', async () => {
    const id = await started();
    for (const as of [peer.as, administrator.as]) {
      const { body: posted } = await reply(id);
      expect((await remove(posted.id, {})).status).toBe(401);
      expect((await remove(posted.id, learner.as)).status).toBe(403);
      expect((await remove(posted.id, stranger.as)).status).toBe(403);
      const { status, body } = await remove(posted.id, as);
      expect({ status, body: contract.deleteLessonReaction.replies[200].parse(body) }).toEqual({
        status: 200,
        body: { deleted: true },
      });
      expect((await remove(posted.id, as)).status).toBe(404);
    }
    expect((await read(id)).body.reaction_counts.reply).toBe(0);
  });

  it('keeps a placeholder for a reply that has replies', async () => {
    const id = await started();
    const { body: posted } = await reply(id);
    await answer(posted.id, { kind: 'reply', body: 'And yet' });
    await remove(posted.id);
    const { body } = await test.call(contract.listLessonReactions, peer.as, { params: { ...lesson, activityId: id } });
    expect(contract.listLessonReactions.replies[200].parse(body).results).toEqual([
      { id: posted.id, deleted: true, children_counts: { like: 0, reply: 1 } },
    ]);
  });

  it('counts exactly while many react and withdraw at once', async () => {
    const id = await started();
    const replies = await Promise.all(Array.from({ length: 20 }, () => reply(id)));
    await Promise.all([
      ...replies.slice(0, 10).map(({ body }) => remove(body.id)),
      ...replies.slice(5, 15).map(({ body }) => remove(body.id)),
      ...Array.from({ length: 20 }, () => react(id, { kind: 'like' })),
    ]);
    expect((await read(id)).body.reaction_counts).toEqual({ like: 1, reply: 5 });
  });
});
