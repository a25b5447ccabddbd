import { askLesson } from '@officium/contract/ai';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

const body = (...paragraphs: string[]) => ({ en: paragraphs.map((text, n) => `<p id="p-${n}">${text}</p>`).join('') });
const lesson = (title: string, ...paragraphs: string[]) => ({ title: { en: title }, body: body(...paragraphs) });

async function ask(person: TestPerson, course: TestCourse, query: string, at = { journey: 0, lesson: 0 }) {
  const journey = course.journeys[at.journey]!; // created with the course
  const { status, body } = await test.call(askLesson, person.as, {
    body: {
      query,
      courseSlug: course.slug,
      journeySlug: journey.slug,
      lessonSlug: journey.lessons[at.lesson]!.slug, // created with the course
    },
  });
  expect(status).toBe(200);
  return body.references as { title: string; url: string; quote: string }[];
}

describe('the searched text', () => {
  it('is the lesson first, then its journey and course as far as the viewer may read them', async () => {
    const course = await makeCourse(test, {
      journeys: [
        {
          privacy: 'open-public',
          sections: [
            { lessons: [lesson('Letters', 'Stamps are glued.'), lesson('Harbours', 'A pilot steers ships.')] },
          ],
        },
        {
          privacy: 'open-public',
          sections: [{ lessons: [lesson('Islands', 'Ferries sail daily.'), lesson('Lamps', 'Oil lamps glow.')] }],
        },
        { privacy: 'closed-private', sections: [{ lessons: [lesson('Vaults', 'Gold bars are counted.')] }] },
      ],
    });
    const maya = await makePerson(test);
    await enrol(test, maya, course.journeys[0]!);
    const quotes = async (query: string) => (await ask(maya, course, query)).map(({ quote }) => quote);
    expect(await quotes('Who steers ships?')).toEqual(['A pilot steers ships.']);
    // The first lesson of an open journey is public, the others need an enrolment, and a hidden one is never readable.
    expect(await quotes('When do ferries sail?')).toEqual(['Ferries sail daily.']);
    expect(await quotes('What do oil lamps do?')).toEqual([]);
    expect(await quotes('Who counted the gold bars?')).toEqual([]);
    const [reference] = await ask(maya, course, 'Who steers ships?');
    const [journey] = course.journeys;
    expect(reference).toMatchObject({
      title: 'Harbours',
      url: `http://localhost:3000/courses/${course.slug}/${journey!.slug}/${journey!.lessons[1]!.slug}#p-0`,
    });
    await enrol(test, maya, course.journeys[1]!);
    expect(await quotes('What do oil lamps do?')).toEqual(['Oil lamps glow.']);
  });

  it('is the current text of the lesson', async () => {
    const course = await makeCourse(test, {
      journeys: [{ privacy: 'open-public', sections: [{ lessons: [lesson('Bread', 'Rye is milled.')] }] }],
    });
    const noor = await makePerson(test);
    const quotes = async (query: string) => (await ask(noor, course, query)).map(({ quote }) => quote);
    expect(await quotes('Is rye milled?')).toEqual(['Rye is milled.']);
    const key = course.journey.lessons[0]!.key;
    await sql`update bodies set html = '<p>Oats are rolled.</p>' where lesson_key = ${key}`.execute(db);
    expect(await quotes('Is rye milled?')).toEqual([]);
    expect(await quotes('Are oats rolled?')).toEqual(['Oats are rolled.']);
    await sql`update lessons set title = '{"en": "Porridge"}' where key = ${key}`.execute(db);
    expect((await ask(noor, course, 'Are oats rolled?'))[0]?.title).toBe('Porridge');
  });

  it('is split into passages once, also for parallel questions', async () => {
    const course = await makeCourse(test, {
      journeys: [
        { privacy: 'open-public', sections: [{ lessons: [lesson('Glass', 'Sand melts slowly.', 'Blow it.')] }] },
      ],
    });
    const people = await Promise.all(Array.from({ length: 8 }, () => makePerson(test)));
    const found = await Promise.all(people.map((person) => ask(person, course, 'Does sand melt?')));
    for (const references of found) expect(references.map(({ quote }) => quote)).toEqual(['Sand melts slowly.']);
    const { rows } = await sql`
      select position from passages where lesson_key = ${course.journey.lessons[0]!.key}`.execute(db);
    expect(rows).toHaveLength(2);
  });

  it('tolerates a typo', async () => {
    const course = await makeCourse(test, {
      journeys: [
        { privacy: 'open-public', sections: [{ lessons: [lesson('Trees', 'Chestnuts need lime.', 'Oaks do not.')] }] },
      ],
    });
    const [reference] = await ask(await makePerson(test), course, 'Do chesnuts need lime?');
    expect(reference?.quote).toBe('Chestnuts need lime.');
  });

  it('answers quickly in a course of two hundred lessons', { timeout: 60_000 }, async () => {
    const words = 'river bridge letter permit garden school budget minister harbour forest'.split(' ');
    const paragraph = (n: number) =>
      `The ${words[n % 10]} of district ${n} has ${words[(n * 7) % 10]} number ${n * 3}.`;
    const lessons = Array.from({ length: 200 }, (_, n) =>
      lesson(`Lesson ${n}`, ...Array.from({ length: 30 }, (_unused, p) => paragraph(n * 30 + p))),
    );
    const course = await makeCourse(test, { journeys: [{ privacy: 'open-public', sections: [{ lessons }] }] });
    const person = await makePerson(test);
    await enrol(test, person, course.journey);
    const time = async (query: string) => {
      const began = performance.now();
      const references = await ask(person, course, query);
      expect(references[0]?.quote).toContain('district 4711');
      return performance.now() - began;
    };
    expect(await time('Which bridge or school has district 4711?')).toBeLessThan(15_000); // splits all lessons
    expect(await time('What about district 4711 and its harbour?')).toBeLessThan(1_500);
  });
});
