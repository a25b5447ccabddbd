import { newId } from '#server/db/client.ts';
import { askLesson } from '@officium/contract/ai';
import { analyseJob } from '@officium/contract/job-tasks';
import { answerEvaluation } from '@officium/contract/evaluations';
import { issueMyCertificate } from '@officium/contract/learner';
import { createLessonActivity, createLessonReaction } from '@officium/contract/lesson-discussions';
import { shareLessonActivity } from '@officium/contract/lesson-shares';
import { sql } from 'kysely';
import { packOccupations } from '#server/areas/ai/job-task-file.format.ts';
import { loadFile } from '#server/areas/ai/job-task-load.service.ts';
import {
  completeLessons,
  enrol,
  makeAssessment,
  makeAttempt,
  makeCourse,
  makeEvaluation,
  makeLesson,
  type TestCourse,
} from '../factories/courses.ts';
import { makeWaitingAttempt } from '../factories/attempts.ts';
import { ADMINISTRATOR, HELD, type Names, NO_SLUG, NOBODY, OWN, type Planting, PRIVATE } from './planting.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { LESSON_BLOCKS } from '../../text/blocks/registry.ts';
import { textLabels } from '../../text/labels.ts';
import { renderMarkdown } from '../../text/markdown.ts';

const lessonOf = ({ id, journey }: TestCourse, nth = 0) => ({
  courseId: id,
  journeyId: journey.id,
  lessonId: journey.lessons[nth]?.id,
});

async function discuss({ people, call, homes }: Planting, at: ReturnType<typeof lessonOf>, text: string) {
  const { as } = people.victim;
  const { activityId } = await call(createLessonActivity, as, { params: at, body: { body: { en: text } } });
  const { id } = await call(createLessonReaction, as, {
    params: { ...at, activityId },
    body: { kind: 'reply', body: `${text} again` },
  });
  for (const said of [activityId, id]) homes.set(said, [at.courseId]);
  return { activityId: activityId as string, reactionId: id as string };
}

async function makeClosed({ test, plant }: Planting): Promise<TestCourse> {
  const lesson = {
    slug: plant('lesson slug', PRIVATE),
    title: { en: plant('lesson title', PRIVATE) },
    body: { en: `<p>${plant('lesson body', PRIVATE)} explains everything.</p>` },
    discussion: { en: plant('lesson question', PRIVATE) },
  };
  const course = await makeCourse(test, {
    slug: plant('course slug', PRIVATE),
    type: 'Private',
    title: { en: plant('course title', PRIVATE) },
    summary: { en: plant('course summary', PRIVATE) },
    scopes: { canView: 'private', canJoin: 'private' },
    journeys: [
      {
        slug: plant('journey slug', PRIVATE),
        title: { en: plant('journey title', PRIVATE) },
        privacy: 'closed-private',
        sections: [{ heading: { en: plant('section heading', PRIVATE) }, lessons: [lesson] }],
      },
    ],
  });
  await plantQuestion({ test, plant }, course, lesson.body.en);
  return course;
}

/** Adds questions to the lesson, with keys and feedback that no reading operation shows, as publishing does. */
async function plantQuestion({ test, plant }: Pick<Planting, 'test' | 'plant'>, course: TestCourse, text: string) {
  const question = [
    ':::quiz\nWhich of these explains it?\n\n- [ ] this\n- [x] that',
    `  > ${plant('option feedback', NOBODY)}\n\n> ${plant('question feedback', NOBODY)}\n:::\n`,
    `:::quiz{type=text answer="${plant('typed answer', NOBODY)}"}\nWho explains it?\n:::`,
    `:::quiz{type=text}\nWhere?\n\n- [x] here\n  > ${plant('typed feedback', NOBODY)}\n- [ ] ${plant('foreseen answer', NOBODY)}\n:::`,
    `:::quiz{type=matching}\nWho?\n\n- a\n  - [x] b\n  > ${plant('prompt feedback', NOBODY)}\n- c\n  - [x] d\n:::`,
  ].join('\n');
  const source = `${text}\n\n${question}`;
  const { html } = renderMarkdown(source, { blocks: LESSON_BLOCKS, ...textLabels('en') });
  const keys = course.journey.lessons.map(({ key }) => key);
  await test.ctx.db.updateTable('bodies').set({ source, html }).where('lesson_key', 'in', keys).execute();
}

/** Gives the course a question bank, which authors read and nobody else. */
async function plantBank({ test, plant }: Planting, { id }: TestCourse): Promise<void> {
  const word = plant('bank question', ADMINISTRATOR);
  const questions = [
    { quiz: '1', type: 'text', isMultiple: false, questionHtml: word, moreHtml: '', options: [], key: {} },
  ];
  const row = { course_id: id, locale: 'en', source: `:::quiz{type=text answer=${word}}\n${word}?\n:::` };
  await test.ctx.db
    .insertInto('course_questions')
    .values({ ...row, questions: JSON.stringify(questions) })
    .execute();
}

/** An answer and its comment reach the learner and those who mark. */
const MARKED = [...HELD, ...ADMINISTRATOR] as const;

/** Adds an assessment that the victim is attempting, with keys that nobody reads before it has ended. */
async function plantAttempt({ test, people, plant, homes }: Planting, course: TestCourse) {
  const lesson = await makeLesson(test, { journeyKey: course.journey.key, position: 5 }, { slug: 'assessed-lesson' });
  homes.set(lesson.slug, [course.slug]);
  const question: AssessmentQuestion = {
    quiz: '1',
    type: 'text',
    isMultiple: false,
    questionHtml: plant('assessment question', HELD),
    moreHtml: '',
    options: [],
    typed: [
      { text: plant('assessment typed', NOBODY), isRight: false, feedbackHtml: plant('assessment remark', NOBODY) },
    ],
    feedbackHtml: `<p>${plant('assessment feedback', NOBODY)}</p>`,
    key: { answer: plant('assessment key', NOBODY) },
  };
  await makeAssessment(test, lesson, [question], { review: 'answers' });
  const attemptId = await makeAttempt(test, people.victim, lesson, [question]);
  const answers = JSON.stringify({ 1: { choice: [], text: plant('assessment answer', HELD) } });
  await test.ctx.db.updateTable('assessment_attempts').set({ answers }).where('id', '=', attemptId).execute();
  const marked = await makeWaitingAttempt(test, people.victim, lesson, plant('open answer', MARKED));
  const marks = JSON.stringify({ 1: { points: [1, 1], comment: plant('comment of a marker', MARKED) } });
  await test.ctx.db
    .updateTable('assessment_attempts')
    .set({ marks, score: 33, passed: false })
    .where('id', '=', marked)
    .execute();
  return { assessedSlug: lesson.slug, attemptId, marked };
}

/** Adds an evaluation with counted answers, and one of the victim that waits and that nobody reads. */
async function plantEvaluation({ test, people, plant, call }: Planting, course: TestCourse): Promise<void> {
  const { key, slug } = course.journey;
  const question = { id: 'more', type: 'text' as const, text: { en: plant('evaluation question', PRIVATE) } };
  await makeEvaluation(test, { key }, [question]);
  const counted = { journey_key: key, question_id: 'more', shape: 'text:0' };
  const { db } = test.ctx;
  await db
    .insertInto('evaluation_counts')
    .values({ ...counted, question: JSON.stringify({ ...question, options: {} }), answers: 5, counts: '{}' })
    .execute();
  await db
    .insertInto('evaluation_texts')
    .values({ ...counted, body: plant('counted answer', ADMINISTRATOR) })
    .execute();
  await call(answerEvaluation, people.victim.as, {
    params: { courseSlug: course.slug, journeySlug: slug },
    body: { answers: [{ question: 'more', text: plant('waiting answer', NOBODY) }] },
  });
}

/** Adds a withdrawn lesson with a discussion to the open course. */
async function plantWithdrawnLesson(planting: Planting, course: TestCourse): Promise<Names> {
  const { test, plant } = planting;
  const { key } = course.journey;
  const lesson = await makeLesson(
    test,
    { journeyKey: key, position: 9 },
    {
      mandatory: false,
      title: { en: plant('gone lesson', ADMINISTRATOR) },
      body: { en: `<p>${plant('gone body', NOBODY)}</p>` },
    },
  );
  const at = { ...lessonOf(course), lessonId: lesson.id };
  planting.homes.set(lesson.id, [course.id]).set(lesson.slug, [course.slug]);
  const talk = await discuss(planting, at, plant('gone talk', NOBODY));
  await sql`update lessons set withdrawn_at = now() where key = ${lesson.key}`.execute(test.ctx.db);
  return {
    'lessons/lessonId': [lesson.id],
    'lessons/lessonSlug': [lesson.slug],
    'activities/activityId': [talk.activityId],
    'payloads/id': [talk.activityId, talk.reactionId],
  };
}

/** A job that the victim analysed; returns its thread. */
async function plantJob({ test, people, plant, call }: Planting): Promise<string> {
  const statement = {
    id: 1,
    text: 'Write letters.',
    kind: 'core',
    model: 'E1',
    people: 'E1',
    automationGrade: 2,
  } as const;
  const packed = await packOccupations([{ code: '43-4151.00', title: 'Order Clerks', statements: [statement] }]);
  await loadFile(test.ctx, { version: 'leaks', packed });
  const { threadId } = await call(analyseJob, people.victim.as, {
    body: {
      jobTitle: plant('job', OWN),
      organization: plant('office', OWN),
      tasks: [`Write letters ${plant('task', OWN)}`],
    },
  });
  return threadId as string;
}

/** An open course and one for enrolled people only; the victim learned and asked in both. */
export async function plantCourses(planting: Planting) {
  const { test, people, plant, call } = planting;
  const { victim, member, owner } = people;
  const course = await makeCourse(test, { slug: 'for-all' });
  const closed = await makeClosed(planting);
  for (const person of [victim, member, owner]) await enrol(test, person, course.journey);
  await enrol(test, victim, closed.journey);
  const withdrawn = await plantWithdrawnLesson(planting, course);
  const openTalk = await discuss(planting, lessonOf(course), 'What all learners read');
  const talk = await discuss(planting, lessonOf(closed), plant('lesson talk', PRIVATE));
  await call(shareLessonActivity, victim.as, {
    params: { ...lessonOf(closed), activityId: talk.activityId },
    body: { title: 'For all who may read it', communities: ['plaza'] },
  });
  const slugs = { courseSlug: closed.slug, journeySlug: closed.journey.slug };
  const lessonSlug = closed.journey.lessons[0]?.slug;
  const { threadId } = await call(askLesson, victim.as, {
    body: { query: `What explains ${plant('question', HELD)}?`, ...slugs, lessonSlug },
  });
  const { assessedSlug, attemptId, marked } = await plantAttempt(planting, closed);
  await plantBank(planting, closed);
  const job = await plantJob(planting);
  await completeLessons(test, victim, course.journey.lessons.slice(0, 3));
  const { certificate } = await call(issueMyCertificate, victim.as, {
    params: { courseSlug: course.slug, journeySlug: course.journey.slug },
    body: {},
  });
  await plantEvaluation(planting, course);
  const both = [course, closed];
  for (const { id, slug, journey } of both)
    for (const part of [journey, ...journey.lessons]) {
      planting.homes.set(part.id, [id]);
      planting.homes.set(part.slug, [slug]);
    }
  const names: Names = {
    'courses/courseId': [...both.map(({ id }) => id), NO_SLUG],
    'courses/courseSlug': [...both.map(({ slug }) => slug), NO_SLUG],
    'journeys/journeyId': both.map(({ journey }) => journey.id),
    'journeys/journeySlug': both.map(({ journey }) => journey.slug),
    'lessons/lessonId': both.map(({ journey }) => journey.lessons[0]?.id),
    'lessons/lessonSlug': [...both.map(({ journey }) => journey.lessons[0]?.slug), assessedSlug],
    'attempts/attemptId': [attemptId, marked],
    'marking/attemptId': [marked],
    'activities/activityId': [openTalk.activityId, talk.activityId],
    'activities/id': [openTalk.activityId],
    'reactions/reactionId': [openTalk.reactionId, talk.reactionId],
    'payloads/id': [talk.activityId, talk.reactionId],
    'threads/threadId': [threadId, job],
    'risk-analyses/threadId': [threadId, job],
    'certificates/publicId': [/([0-9a-f]{32})\.pdf$/.exec(certificate.certificateUrl)?.[1]],
    'files/sha256': ['0'.repeat(64)],
    'entries/id': [course.id, closed.id, closed.journey.entryId, NO_SLUG],
    'products/id': [closed.id],
    'authoring/kind': ['course'],
    'pieces/key': [course.id, closed.id, course.journey.key],
  };
  return {
    course,
    closed: { ...closed, ...slugs, lesson: lessonOf(closed), lessonSlug, assessedSlug, talk },
    names,
    withdrawn,
  };
}

/** An academy and a hub with both courses, and a microcourse. */
export async function plantCatalogue({ test }: Planting, courses: { id: string }[]): Promise<Names> {
  const { db } = test.ctx;
  for (const type of ['academy', 'microcourse', 'hub', 'event']) {
    await sql`insert into entries (id, content_type, source) values (${type}, ${type}, 'folder')`.execute(db);
    await sql`
      insert into products (entry_id, content_type, can_view, can_join)
      values (${type}, ${type}, 'public', 'authenticated')`.execute(db);
  }
  await sql`insert into academies (id, slug, title) values ('academy', 'open', '{"en": "An academy"}')`.execute(db);
  for (const [position, { id }] of courses.entries())
    await sql`
      insert into academy_courses (academy_id, course_id, position) values ('academy', ${id}, ${position})`.execute(db);
  await sql`insert into microcourses (id, slug, title) values ('microcourse', 'open', '{"en": "Short"}')`.execute(db);
  await sql`
    insert into bodies (microcourse_id, locale, source, html)
    values ('microcourse', 'en', 'Read.', '<p>Read.</p>')`.execute(db);
  await sql`insert into editorials (id, kind, slug, title) values ('hub', 'hub', 'open', '{"en": "A hub"}')`.execute(
    db,
  );
  for (const [position, { id }] of courses.entries())
    await sql`
      insert into editorial_items (editorial_id, position, kind, key) values ('hub', ${position}, 'course', ${id})`.execute(
      db,
    );
  const session = newId();
  await sql`
    insert into editorials (id, kind, slug, title) values ('event', 'event', 'open', '{"en": "An event"}')`.execute(db);
  await sql`
    insert into events (id, starts, ends, time_zone, link)
    values ('event', '2030-01-01T09:00', '2030-01-01T10:00', 'UTC', 'https://meet.example/room')`.execute(db);
  await sql`
    insert into event_sessions (id, event_id, starts_at, ends_at)
    values (${session}, 'event', '2030-01-01T09:00Z', '2030-01-01T10:00Z')`.execute(db);
  await sql`
    insert into site_page_versions (kind, locale, version, body, body_html)
    values ('terms', 'en', 1, 'Be kind.', '<p>Be kind.</p>')`.execute(db);
  return {
    'event-sessions/id': [session],
    'academies/slug': ['open'],
    'microcourses/slug': ['open'],
    'editorials/kind': ['hubs', 'questions'],
    'pages/kind': ['privacy', 'terms'],
    'by-slug/slug': ['open'],
  };
}
