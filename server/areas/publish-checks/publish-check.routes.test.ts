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

  it('returns findings with their lines', async () => {
    const { status, body } = await check({ text: '\n\n[click here](a)', locale: 'en' });
    expect(status).toBe(200);
    expect(checkContent.replies[200].parse(body)).toEqual({
      findings: [{ rule: 'link-words', severity: 'must', line: 3, text: 'click here' }],
      total: 1,
    });
    expect((await check({ text: '', locale: 'ar' })).body).toEqual({ findings: [], total: 0 });
  });

  it('refuses unknown languages, overlong texts and viewers other than administrators', async () => {
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

  it('lists findings in published texts of all languages, in pages', async () => {
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
      ['translation-headings', 'fr', 1, 'Liens', `/courses/${course.slug}/foundations/links`],
      ['translation-links', 'fr', 1, 'Liens', `/courses/${course.slug}/foundations/links`],
    ]);
    expect(findings.slice(3).map(({ text }) => text)).toEqual(['0 → 2', '2 → 0']);
    expect(counts).toEqual({ total: 5, texts: 3, languages: ['en', 'fr'] });
    expect((await list({ match: 'checked', language: 'fr' })).total).toBe(3);
    expect((await list({ match: 'checked', rule: 'link-words', severity: 'must' })).total).toBe(2);
    expect((await list({ match: 'checked', severity: 'should' })).total).toBe(2);
    const second = await list({ match: 'checked', limit: 1, offset: 2 });
    expect([second.total, second.findings.map(({ rule }) => rule)]).toEqual([5, ['heading-order']]);

    await sql`update bodies set source = '[The list of offices](a)' where source like '[here]%'`.execute(test.ctx.db);
    expect((await list({ match: 'checked' })).findings.map(({ rule }) => rule)).toEqual([
      'heading-order',
      'translation-headings',
      'translation-links',
    ]);
    await sql`update entries set status = 'withdrawn' where id = ${course.id}`.execute(test.ctx.db);
    expect((await list({ match: 'checked' })).total).toBe(0);
  });

  it('is limited to administrators', async () => {
    expect((await test.call(listContentFindings, maya.as)).status).toBe(403);
  });
});
