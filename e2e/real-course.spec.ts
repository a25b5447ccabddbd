import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAccount, confirmSignUp } from '@officium/contract/auth';
import { addressOf } from '@officium/contract/client';
import { currentProduct } from './demo.ts';
import { isTooWide, mailTo, visit } from './visitor.ts';
import { unusedEmail } from './newcomer.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A public course with 8 sections and 32 lessons in four languages, kept beside the checkout. */
const COURSE = fileURLToPath(new URL('../../shared/data/course-security-101', import.meta.url));
const JOURNEY = '/courses/security-101/foundations';

describe.runIf(existsSync(COURSE))('a real course, imported while the product runs', () => {
  it('leads from sign-up through 24 lessons to a certificate, but not with 23', { timeout: 180_000 }, async () => {
    const { dataDir, databaseUrl } = await currentProduct();
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    for (const expected of [/added/, /unchanged/]) {
      const { stdout } = await promisify(execFile)(process.execPath, ['server/cli/import.ts', COURSE], {
        cwd: ROOT,
        env,
      });
      expect(stdout).toMatch(expected);
    }

    const { page, context } = await visit({ viewport: { width: 320, height: 700 } });
    const headers = { 'sec-fetch-site': 'same-origin' };
    const email = unusedEmail('learner.of.security');
    await context.request.post(addressOf(createAccount, {}), { data: { name: 'A learner', email }, headers });
    const [code] = /^\d{6}$/m.exec((await mailTo(email)).text) ?? [];
    const confirmed = await context.request.post(addressOf(confirmSignUp, {}), { data: { email, code }, headers });
    expect(confirmed.status()).toBe(200);

    const enrolled = await context.request.post('/api/learner/learners/me/journeys', {
      data: { courseSlug: 'security-101', journeySlug: 'foundations', locale: 'en' },
      headers,
    });
    expect(enrolled.status()).toBe(201);
    const course = await context.request.get('/api/learner/courses/security-101').then((reply) => reply.json());
    type Lesson = { slug: string; mandatory: boolean };
    const [journey] = (course.journeys ?? course.course.journeys) as { sections: { lessons: Lesson[] }[] }[];
    const lessons = journey?.sections.flatMap((section) => section.lessons) ?? [];
    expect(journey?.sections.map((section) => section.lessons.length)).toEqual([7, 4, 4, 4, 3, 3, 3, 4]);
    const mandatory = lessons.filter((lesson) => lesson.mandatory);
    expect([lessons.length, mandatory.length]).toEqual([32, 24]);

    const complete = (slug: string) =>
      context.request.put(
        `/api/learner/me${JOURNEY.replace('/foundations', '/journeys/foundations')}/lessons/${slug}/completion`,
        { data: {}, headers },
      );
    const certificate = () =>
      context.request.put(`/api/learner/me/courses/security-101/journeys/foundations/certificate`, {
        data: {},
        headers,
      });
    for (const lesson of mandatory.slice(0, 23)) expect((await complete(lesson.slug)).status()).toBe(204);
    expect((await certificate()).status()).toBe(409);
    expect((await complete(mandatory[23]?.slug ?? '')).status()).toBe(204);
    expect((await certificate()).status()).toBe(201);
    expect((await certificate()).status()).toBe(200);
    const mine = await context.request
      .get('/api/learner/me/courses/security-101/journeys')
      .then((reply) => reply.json());
    expect(mine.journeys[0].progress).toMatchObject({ completedLessons: 24, mandatoryLessons: 24 });

    for (const [locale, dir] of [
      ['ar', 'rtl'],
      ['ja', 'ltr'],
    ] as const) {
      for (const lesson of lessons) {
        await page.goto(`${JOURNEY}/${lesson.slug}?locale=${locale}`);
        expect([lesson.slug, await page.locator('html').getAttribute('dir')]).toEqual([lesson.slug, dir]);
        expect([lesson.slug, await page.content()]).not.toEqual([lesson.slug, expect.stringContaining('<!--CO_OP')]);
        expect([lesson.slug, await isTooWide(page)]).toEqual([lesson.slug, false]);
      }
    }
  });
});
