import { readPiece, savePiece } from '@officium/contract/authoring';
import { listCatalogue } from '@officium/contract/content';
import { readCourse } from '@officium/contract/learner';
import { eraseUser } from '@officium/contract/people';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { CONTENT_YAML, makeContentFolder, makeFolder } from '#server/test/factories/content.ts';
import { readContentfulExport } from './contentful-export.format.ts';
import { toCatalogue } from './export-catalogue.format.ts';
import { topicNamed } from './export-topics.format.ts';
import { exportFolder } from './export.service.ts';
import { readContentFolder } from './folder-reader.format.ts';
import { importPath } from './import-source.service.ts';

const test = await createTestApp();

const withCourse = (fields: string) =>
  CONTENT_YAML.replace('    summary: {en: Write so that people can act}\n', (found) => `${found}${fields}`);

describe('topics and contacts of a content folder', () => {
  it('are stored, exported again and changed by a second import', async () => {
    const maya = await makePerson(test);
    const fields = `    topics: [LifeInGovernment, topic_Education]
    contacts:
      - {name: Writing team, role: {en: Course lead, fr: Responsable}, email: writing@city.example}
      - {name: Maya, profile: /people/${maya.id}, email: ${maya.email}}
`;
    const dir = await makeContentFolder({ 'content.yaml': withCourse(fields) });
    expect(await importPath(test.ctx, dir)).toMatchObject({ faults: [] });

    const read = async (as: typeof maya.as | undefined, locale = 'fr') =>
      (await test.call(readCourse, as, { params: { courseSlug: 'letters' }, query: { locale } })).body.course;
    const course = await read(undefined);
    expect(course.topics).toEqual(['topic_LifeInGovernment', 'topic_Education']);
    const team = { name: 'Writing team', role: 'Responsable', email: 'writing@city.example', profileId: null };
    // The address of an account is never shown; its profile only to signed-in people.
    expect(course.contacts).toEqual([team, { name: 'Maya', role: null, email: null, profileId: null }]);
    expect((await read(maya.as)).contacts[1]).toMatchObject({ email: null, profileId: maya.id });

    const out = await makeFolder({});
    const { folder } = await exportFolder(test.ctx, out);
    expect(folder.courses[0]).toMatchObject({
      topics: ['topic_LifeInGovernment', 'topic_Education'],
      contacts: [{ name: 'Writing team' }, { name: 'Maya', profile: `/people/${maya.id}` }],
    });
    const again = await readContentFolder(out);
    expect([again.faults, again.folder?.courses[0]?.contacts]).toEqual([[], folder.courses[0]?.contacts]);
    expect(await importPath(test.ctx, out)).toMatchObject({ summary: { added: 0, changed: 0 } });

    const fewer = '    contacts: [{name: Writing team}]\n';
    await importPath(test.ctx, await makeContentFolder({ 'content.yaml': withCourse(fewer) }));
    expect(await read(undefined)).toMatchObject({ topics: [], contacts: [{ name: 'Writing team', email: null }] });
  });

  it('narrow the catalogue', async () => {
    await importPath(test.ctx, await makeContentFolder({ 'content.yaml': withCourse('    topics: [Climate]\n') }));
    const list = async (topic: string) => await test.call(listCatalogue, undefined, { query: { topic } });
    for (const topic of ['Climate', 'topic_Climate'])
      expect((await list(topic)).body).toMatchObject({ courses: [{ slug: 'letters' }], topics: ['topic_Climate'] });
    expect((await list('Education')).body).toMatchObject({ courses: [], topics: ['topic_Climate'] });
    expect((await list('Cats')).status).toBe(400);
  });

  it('are refused with their place', async () => {
    const fields = `    topics: [Cats, Climate, Climate]
    contacts: [{role: {en: Lead}}, {name: A, profile: 'https://elsewhere.example'}, {name: B, email: nobody}]
`;
    const { faults } = await readContentFolder(await makeContentFolder({ 'content.yaml': withCourse(fields) }));
    expect(faults.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        'courses[0].topics[0]',
        'courses[0].contacts[0].name',
        'courses[0].contacts[1].profile',
        'courses[0].contacts[2].email',
      ]),
    );
    const many = '    topics: [Climate, Education, Innovation, Policymaking]\n';
    const second = await readContentFolder(await makeContentFolder({ 'content.yaml': withCourse(many) }));
    expect(second.faults).toMatchObject([{ field: 'courses[0].topics', message: 'At most 3 topics' }]);
  });

  it('forget a person who is erased', async () => {
    const [ana, admin] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    const fields = `    contacts: [{name: Ana, email: ${ana.email}}, {name: Ana, profile: /people/${ana.id}}, {name: Team}]\n`;
    await importPath(test.ctx, await makeContentFolder({ 'content.yaml': withCourse(fields) }));
    const params = { kind: 'course', key: 'letters' };
    const { doc, version } = (await test.call(readPiece, admin.as, { params })).body;
    await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, topics: ['topic_Climate'] } } });
    expect((await test.call(eraseUser, ana.as, { params: { id: 'me' } })).status).toBe(200);
    const { contacts } = (await test.call(readCourse, undefined, { params: { courseSlug: 'letters' } })).body.course;
    expect(contacts.map(({ name }: { name: string }) => name)).toEqual(['Team']);
    expect((await test.call(readPiece, admin.as, { params })).body.doc).toMatchObject({ contacts: [{ name: 'Team' }] });
  });
});

describe('topics and contacts of an export', () => {
  const link = (id: string) => ({ sys: { type: 'Link', linkType: 'Entry', id } });
  const en = (value: unknown) => ({ en: value });
  const entry = (id: string, type: string, fields: object) => ({
    sys: { id, version: 3, publishedVersion: 2, contentType: { sys: { id: type } } },
    fields,
  });
  const read = (fields: object) => {
    const entries = [
      entry('c', 'course', { title: en('A'), slug: en('a'), lessons: en([link('l')]), ...fields }),
      entry('l', 'lesson', { title: en('L'), slug: en('l'), body: en('Text') }),
      entry('t', 'topic', { name: en('Digital & data') }),
      entry('p', 'person', { name: en('Ana'), role: en('Trainer'), email: en('Ana@City.example') }),
    ];
    return toCatalogue(readContentfulExport({ locales: [{ code: 'en', default: true }], entries }));
  };
  const topics = (fields: object) => read(fields).folder.courses[0]?.topics;

  it('are matched in any common spelling', () => {
    const spellings = ['Work and the economy', 'work-and-the-economy', 'WorkAndTheEconomy', 'topic_WorkAndTheEconomy'];
    for (const name of spellings) expect(topicNamed(name)).toBe('topic_WorkAndTheEconomy');
    expect(topicNamed('Cats')).toBeUndefined();
  });

  it('come from names and links', () => {
    expect(topics({ tags: en(['climate change', 'beginner', 'Equity, justice and inclusion']) })).toEqual([
      'topic_Climate',
      'topic_EquityJusticeAndInclusion',
    ]);
    expect(topics({ category: en(link('t')), topics: en('education, innovation') })).toEqual([
      'topic_Education',
      'topic_Innovation',
      'topic_DigitalAndData',
    ]);
    expect(topics({})).toEqual([]);
  });

  it('warn about unknown names and more than three', () => {
    const { folder, warnings } = read({ topics: en(['Cats', 'Climate', 'Education', 'Health', 'Policy']) });
    expect(folder.courses[0]?.topics).toHaveLength(3);
    expect(warnings.map(({ message }) => message)).toEqual([
      'Cats is not one of the twelve topics: left out',
      'At most 3 topics: the first ones are used',
    ]);
  });

  it('name who runs the course', () => {
    expect(read({ contacts: en([link('p')]) }).folder.courses[0]?.contacts).toEqual([
      { name: 'Ana', role: { en: 'Trainer' }, email: 'ana@city.example' },
    ]);
    expect(read({ instructors: en('Our team') }).folder.courses[0]?.contacts).toEqual([{ name: 'Our team' }]);
  });
});
