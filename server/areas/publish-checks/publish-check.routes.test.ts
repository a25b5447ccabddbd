import { checkContent, listContentFindings } from '@officium/contract/content-checks';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });
const maya = await makePerson(test);

describe('checkContent', () => {
  const check = (body: object, as = admin.as) => test.call(checkContent, as, { body });

  it('says what to mend, and where', async () => {
    const { status, body } = await check({ text: '\n\n[click here](a)', locale: 'en' });
    expect(status).toBe(200);
    expect(checkContent.replies[200].parse(body)).toEqual({
      findings: [{ rule: 'link-words', severity: 'must', line: 3, text: 'click here' }],
      total: 1,
    });
    expect((await check({ text: '', locale: 'ar' })).body).toEqual({ findings: [], total: 0 });
  });

  it('refuses other languages, texts that are too long, and everybody else', async () => {
    expect((await check({ text: 'x', locale: 'xx' })).status).toBe(400);
    expect((await check({ text: 'x'.repeat(200_001), locale: 'en' })).status).toBe(400);
    expect((await check({ text: 'x', locale: 'en' }, maya.as)).status).toBe(403);
  });
});

describe('listContentFindings', () => {
  const list = async (query: Record<string, unknown>) => {
    const { status, body } = await test.call(listContentFindings, admin.as, { query });
    expect(status).toBe(200);
    return listContentFindings.replies[200].parse(body);
  };

  it('finds what is published, in its languages, page by page', async () => {
    const body = { en: '[here](a) and [more](b)', fr: '## Un titre\n\n#### Trop bas\n\nx' };
    const lessons = [
      { slug: 'links', title: { en: 'Links', fr: 'Liens' }, body },
      { slug: 'fine', body: { en: 'x' } },
    ];
    const course = await makeCourse(test, { title: { en: 'Checked' }, journeys: [{ sections: [{ lessons }] }] });
    const { findings, ...counts } = await list({ match: 'checked', locale: 'fr' });
    expect(findings.map(({ rule, locale, line, title, path }) => [rule, locale, line, title, path])).toEqual([
      ['link-words', 'en', 1, 'Liens', `/courses/${course.slug}/foundations/links`],
      ['link-words', 'en', 1, 'Liens', `/courses/${course.slug}/foundations/links`],
      ['heading-order', 'fr', 3, 'Liens', `/courses/${course.slug}/foundations/links`],
    ]);
    expect(counts).toEqual({ total: 3, texts: 3, languages: ['en', 'fr'] });
    expect((await list({ match: 'checked', language: 'fr' })).total).toBe(1);
    expect((await list({ match: 'checked', rule: 'link-words', severity: 'must' })).total).toBe(2);
    expect((await list({ match: 'checked', severity: 'should' })).total).toBe(0);
    const second = await list({ match: 'checked', limit: 1, offset: 2 });
    expect([second.total, second.findings.map(({ rule }) => rule)]).toEqual([3, ['heading-order']]);

    await sql`update bodies set source = '[The list of offices](a)' where source like '[here]%'`.execute(test.ctx.db);
    expect((await list({ match: 'checked' })).total).toBe(1);
    await sql`update entries set status = 'withdrawn' where id = ${course.id}`.execute(test.ctx.db);
    expect((await list({ match: 'checked' })).total).toBe(0);
  });

  it('is for administrators', async () => {
    expect((await test.call(listContentFindings, maya.as)).status).toBe(403);
  });
});
