import { createPiece, publishPiece, readPiece, savePiece } from '@officium/contract/authoring';
import { readCourse } from '@officium/contract/learner';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();

let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

async function begin(kind: string, slug: string) {
  const made = await test.call(createPiece, admin.as, { body: { kind, slug, title: 'A title' } });
  return { kind, key: made.body.key as string };
}
const open = async (params: { kind: string; key: string }) => (await test.call(readPiece, admin.as, { params })).body;
const save = async (params: { kind: string; key: string }, changes: object) => {
  const { doc, version } = await open(params);
  return await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, ...changes } } });
};

describe('topics and contacts on the screen', () => {
  it('are published and compared', async () => {
    const params = await begin('course', 'screen-topics');
    expect((await open(params)).doc).toMatchObject({ topics: [], contacts: [] });
    const contacts = [{ name: 'Team', role: { en: 'Lead' }, email: 'team@city.example', profile: null }];
    const saved = await save(params, { topics: ['topic_Climate'], contacts });
    expect(saved.status).toBe(200);
    const published = await test.call(publishPiece, admin.as, { params, body: { version: saved.body.version } });
    expect(published.status).toBe(200);
    const live = await open(params);
    expect([live.state, live.doc]).toMatchObject(['published', { topics: ['topic_Climate'], contacts }]);
    const { course } = (await test.call(readCourse, admin.as, { params: { courseSlug: 'screen-topics' } })).body;
    expect(course).toMatchObject({
      topics: ['topic_Climate'],
      contacts: [{ name: 'Team', role: 'Lead', email: 'team@city.example', profileId: null }],
    });
  });

  it('are refused with their place', async () => {
    const params = await begin('course', 'refused-topics');
    const wrong: [object, string][] = [
      [{ topics: ['topic_Cats'] }, 'doc.topics.0'],
      [{ topics: ['topic_Climate', 'topic_Climate'] }, 'doc.topics'],
      [{ topics: ['topic_Climate', 'topic_Education', 'topic_Innovation', 'topic_Policymaking'] }, 'doc.topics'],
      [{ contacts: [{ name: '', email: 'a@city.example' }] }, 'doc.contacts.0.name'],
      [{ contacts: [{ name: 'A', email: 'nobody' }] }, 'doc.contacts.0.email'],
      [{ contacts: [{ name: 'A', profile: 'nobody' }] }, 'doc.contacts.0.profile'],
    ];
    for (const [changes, path] of wrong)
      expect(await save(params, changes)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });

  it('belong to academies and microcourses too, and drafts of an earlier release open without them', async () => {
    for (const kind of ['academy', 'microcourse']) {
      const params = await begin(kind, `${kind}-topics`);
      expect((await save(params, { topics: ['topic_Education'] })).status).toBe(200);
      await sql`update content_pieces set draft = draft - 'topics' where key = ${params.key}`.execute(test.ctx.db);
      expect((await open(params)).doc).toMatchObject({ topics: [] });
    }
  });
});
