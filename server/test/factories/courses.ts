import { Assessment } from '@officium/contract/assessment';
import type { z } from 'zod';
import { Evaluation } from '@officium/contract/evaluation';
import type { LocalizedText } from '@officium/contract/common';
import type { JourneyPrivacy, Scope } from '../../access/can.ts';
import type { JourneyStatus } from '../../areas/learner/learner.rows.ts';
import { newId } from '../../db/client.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import type { TestApp } from '../app.ts';

export type TestLesson = { key: string; id: string; slug: string };
export type TestJourney = { key: string; id: string; entryId: string; slug: string; lessons: TestLesson[] };
export type TestCourse = { id: string; slug: string; journeys: TestJourney[]; journey: TestJourney };

type Scopes = { canView: Scope; canJoin: Scope } | null;

export type GivenLesson = {
  slug?: string;
  title?: LocalizedText;
  minutes?: number;
  mandatory?: boolean;
  discussion?: LocalizedText;
  /** HTML by locale; by default one English text. */
  body?: LocalizedText;
};
export type GivenSection = { heading?: LocalizedText; lessons?: GivenLesson[] };
export type GivenJourney = {
  slug?: string;
  title?: LocalizedText;
  privacy?: JourneyPrivacy;
  sections?: GivenSection[];
};
export type GivenCourse = {
  slug?: string;
  type?: 'Public' | 'Private';
  title?: LocalizedText;
  summary?: LocalizedText;
  /** Scopes of the course and its journeys. null: they are not products, so no one has access. */
  scopes?: Scopes;
  humanTranslation?: boolean;
  journeys?: GivenJourney[];
};

let counter = 0;

const THREE_LESSONS: GivenSection[] = [
  { lessons: [{ minutes: 5 }, { minutes: 10 }] },
  { lessons: [{ minutes: 15 }, { minutes: 3, mandatory: false }] },
];

/**
 * Creates a published course. By default everyone sees it, accounts may join, and its one journey is open-public, with
 * three mandatory lessons of 5, 10 and 15 minutes and an optional one of 3. Its content ids differ from its slugs.
 */
export async function makeCourse(test: TestApp, given: GivenCourse = {}): Promise<TestCourse> {
  counter += 1;
  const slug = given.slug ?? `course-${counter}-${newId().slice(-6)}`;
  const id = `id-${slug}`;
  const { db } = test.ctx;
  const scopes = given.scopes === undefined ? ({ canView: 'public', canJoin: 'authenticated' } as const) : given.scopes;
  await makeEntry(test, id, 'course', scopes);
  await db
    .insertInto('courses')
    .values({
      id,
      slug,
      type: given.type ?? 'Public',
      title: JSON.stringify(given.title ?? { en: `Course ${counter}` }),
      summary: JSON.stringify(given.summary ?? { en: 'What it is about.' }),
      human_translation: given.humanTranslation ?? true,
    })
    .execute();
  const journeys: TestJourney[] = [];
  for (const [position, journey] of (given.journeys ?? [{}]).entries())
    journeys.push(await makeJourney(test, { courseId: id, position, scopes }, journey));
  return { id, slug, journeys, journey: journeys[0]! }; // callers without journeys do not use the first
}

async function makeEntry(test: TestApp, id: string, contentType: string, scopes: Scopes): Promise<void> {
  const { db } = test.ctx;
  await db.insertInto('entries').values({ id, content_type: contentType, source: 'folder' }).execute();
  if (!scopes) return;
  await db
    .insertInto('products')
    .values({ entry_id: id, content_type: contentType, can_view: scopes.canView, can_join: scopes.canJoin })
    .execute();
}

/** Publishes or withdraws a course by its id, or a journey by its entry's id. */
export async function setEntryStatus(test: TestApp, id: string, status: 'published' | 'withdrawn'): Promise<void> {
  await test.ctx.db.updateTable('entries').set({ status }).where('id', '=', id).execute();
}

async function makeJourney(
  test: TestApp,
  { courseId, position, scopes }: { courseId: string; position: number; scopes: Scopes },
  given: GivenJourney,
): Promise<TestJourney> {
  const { db } = test.ctx;
  const key = newId();
  const slug = given.slug ?? (position === 0 ? 'foundations' : `journey-${position + 1}`);
  const id = `id-${slug}`;
  const entryId = `${courseId}.${id}`;
  await makeEntry(test, entryId, 'courseJourney', scopes);
  await db
    .insertInto('journeys')
    .values({
      key,
      course_id: courseId,
      entry_id: entryId,
      id,
      slug,
      title: JSON.stringify(given.title ?? { en: `Journey ${position + 1}` }),
      privacy: given.privacy ?? 'open-public',
      position,
    })
    .execute();
  const lessons: TestLesson[] = [];
  for (const [at, section] of (given.sections ?? THREE_LESSONS).entries()) {
    const sectionKey = newId();
    const heading = JSON.stringify(section.heading ?? { en: `Section ${at + 1}` });
    await db.insertInto('sections').values({ key: sectionKey, journey_key: key, heading, position: at }).execute();
    for (const lesson of section.lessons ?? [])
      lessons.push(await makeLesson(test, { journeyKey: key, sectionKey, position: lessons.length }, lesson));
  }
  return { key, id, entryId, slug, lessons };
}

/** Adds a lesson at a position in a journey. */
export async function makeLesson(
  test: TestApp,
  place: { journeyKey: string; sectionKey?: string; position: number },
  given: GivenLesson = {},
): Promise<TestLesson> {
  const { db } = test.ctx;
  const key = newId();
  const slug = given.slug ?? `lesson-${place.position + 1}`;
  const id = `id-${slug}`;
  await db
    .insertInto('lessons')
    .values({
      key,
      journey_key: place.journeyKey,
      section_key: place.sectionKey ?? null,
      id,
      slug,
      title: JSON.stringify(given.title ?? { en: `Lesson ${place.position + 1}` }),
      minutes: given.minutes ?? 5,
      mandatory: given.mandatory ?? true,
      discussion: JSON.stringify(given.discussion ?? {}),
      position: place.position,
    })
    .execute();
  for (const [locale, html] of Object.entries(given.body ?? { en: `<p>The text of ${slug}.</p>` }))
    await db.insertInto('bodies').values({ lesson_key: key, locale, source: html, html }).execute();
  return { key, id, slug };
}

const QUESTION: AssessmentQuestion = {
  quiz: '1',
  type: 'choice',
  isMultiple: false,
  questionHtml: 'Which?',
  moreHtml: '',
  options: [
    { html: 'this', isRight: true, feedbackHtml: null },
    { html: 'that', isRight: false, feedbackHtml: null },
  ],
  feedbackHtml: null,
  key: {},
};

/** Gives a lesson an assessment of one question. */
export async function makeAssessment(
  { ctx: { db } }: TestApp,
  { key }: { key: string },
  questions: AssessmentQuestion[] = [QUESTION],
  settings: Partial<Assessment> = {},
): Promise<void> {
  const assessment = JSON.stringify(Assessment.parse({ passMark: 100, ...settings }));
  await db.updateTable('lessons').set({ assessment }).where('key', '=', key).execute();
  await db
    .updateTable('bodies')
    .set({ questions: JSON.stringify(questions) })
    .where('lesson_key', '=', key)
    .execute();
}

/** Returns the id of a person's open attempt at an assessment. */
export async function makeAttempt(
  { ctx: { db } }: TestApp,
  person: { id: string },
  lesson: { key: string },
  questions: AssessmentQuestion[] = [QUESTION],
): Promise<string> {
  const { id } = await db
    .insertInto('assessment_attempts')
    .values({
      id: newId(),
      user_id: person.id,
      lesson_key: lesson.key,
      locale: 'en',
      pass_mark: 100,
      review: 'none',
      questions: JSON.stringify(questions),
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'lesson_key']).where('submitted_at', 'is', null).doUpdateSet({ review: 'none' }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives a journey an evaluation of one scale, unless other questions are given. */
export async function makeEvaluation(
  { ctx: { db } }: TestApp,
  { key }: { key: string },
  questions: z.input<typeof Evaluation> = [{ id: 'useful', type: 'scale', text: { en: 'How useful was it?' } }],
): Promise<void> {
  const evaluation = JSON.stringify(Evaluation.parse(questions));
  await db.updateTable('journeys').set({ evaluation }).where('key', '=', key).execute();
}

/** Completes a journey for an enrolled person, without its lessons. */
export async function completeJourney(
  { ctx: { db } }: TestApp,
  person: { id: string },
  { key }: { key: string },
  completedAt = new Date(),
): Promise<void> {
  await db
    .updateTable('journey_enrolments')
    .set({ completed_at: completedAt })
    .where('user_id', '=', person.id)
    .where('journey_key', '=', key)
    .execute();
}

/** Enrols a person in a journey; the enrolment is active by default. */
export async function enrol(
  test: TestApp,
  person: { id: string },
  journey: { key: string },
  given: { status?: JourneyStatus; expiresOn?: Date } = {},
): Promise<string> {
  const id = newId();
  await test.ctx.db
    .insertInto('journey_enrolments')
    .values({
      id,
      user_id: person.id,
      journey_key: journey.key,
      status: given.status ?? 'enrolled',
      expires_on: given.expiresOn ?? null,
    })
    .execute();
  return id;
}

/** Inserts completions only. Completing the journey itself is the operation's work. */
export async function completeLessons(test: TestApp, person: { id: string }, lessons: TestLesson[]): Promise<void> {
  if (lessons.length === 0) return;
  await test.ctx.db
    .insertInto('lesson_completions')
    .values(lessons.map(({ key }) => ({ id: newId(), user_id: person.id, lesson_key: key })))
    .execute();
}
