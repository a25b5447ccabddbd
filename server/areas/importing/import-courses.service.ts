import { newId } from '#server/db/client.ts';
import type { EntryIds } from '#server/areas/catalogue/entry-ids.policy.ts';
import { type ContactRow, putContacts } from './contact.repository.ts';
import { putCourseQuestions, toCourseQuestions } from './course-questions.repository.ts';
import type { FolderCourse, FolderJourney } from './folder.format.ts';
import * as store from './import.repository.ts';
import * as journeyStore from './import-journey.repository.ts';
import * as entryStore from './import-entry.repository.ts';
import { type ImportRun, journeyIds } from './import-run.service.ts';
import { matchRows } from './match.policy.ts';

/** A journey with the key of its existing or new row. */
export type JourneyPlan = { journey: FolderJourney; courseId: string; position: number; key: string };

/** Matches journeys with existing rows and withdraws journeys that are no longer in their course. */
export async function matchJourneys(run: ImportRun, ids: EntryIds): Promise<JourneyPlan[]> {
  const { courses } = run.prepared.folder;
  const known = await journeyStore.findJourneys(
    run.db,
    courses.map((course) => run.idOf(course)),
  );
  // Entries of journeys in other courses must not be reassigned.
  for (const id of await journeyStore.findJourneyEntries(run.db)) ids.reserve(id);
  const plans: JourneyPlan[] = [];
  for (const course of courses) {
    const courseId = run.idOf(course);
    const match = matchRows(
      course.journeys,
      known.filter((row) => row.courseId === courseId),
    );
    const left = match.left.filter((row) => !row.isWithdrawn);
    await entryStore.freeSlugs(
      run.db,
      'journeys',
      match.blocking.map((row) => row.key),
    );
    await journeyStore.withdrawRows(
      run.db,
      'journeys',
      left.map((row) => row.key),
    );
    await entryStore.withdrawEntries(
      run.db,
      left.flatMap((row) => row.entryId ?? []),
    );
    for (const row of left) run.tally.mark(row.key, 'withdrawn');
    for (const [position, journey] of course.journeys.entries()) {
      const row = match.rows.get(journey);
      // A journey linked from two courses becomes two journeys; the first one keeps the entry.
      const isKept = !row?.entryId && run.keepEntries.has(journey.id) && ids.take(journey.id);
      const entryId = row?.entryId ?? (isKept ? journey.id : ids.give('courseJourney', journeyIds(course, journey)));
      run.note(journey, entryId, 'courseJourney', journey, course.scopes);
      plans.push({ journey, courseId, position, key: row?.key ?? newId() });
    }
  }
  run.tally.expect(plans.map((plan) => plan.key));
  return plans;
}

export async function putCourses(run: ImportRun): Promise<void> {
  const rows = run.prepared.folder.courses.map((item): store.CourseRow => {
    const { slug, type, title, summary = {}, humanTranslation, topics } = item;
    return {
      id: run.idOf(item),
      slug,
      type,
      title,
      summary,
      ...run.cover(item),
      topics,
      human_translation: humanTranslation,
      position: run.positionOf(item),
    };
  });
  run.tally.rows(await store.putCourses(run.db, rows));
  const { courses } = run.prepared.folder;
  const contacts = courses.flatMap((item) => toContactRows(run.idOf(item), item));
  const courseIds = courses.map((item) => run.idOf(item));
  run.tally.changed(await putContacts(run.db, courseIds, contacts));
  const banks = [...run.prepared.courses].map(([item, { bodies }]) => ({ id: run.idOf(item), bodies }));
  const questions = banks.flatMap(({ id, bodies }) => toCourseQuestions(id, bodies));
  const bankIds = banks.map(({ id }) => id);
  run.tally.changed(await putCourseQuestions(run.db, bankIds, questions));
}

function toContactRows(courseId: string, { contacts }: FolderCourse): ContactRow[] {
  return contacts.map(({ name, role = {}, email = null, profile }, position) => ({
    course_id: courseId,
    position,
    name,
    role,
    email,
    profile_id: profile?.slice('/people/'.length) ?? null,
  }));
}

/** Journeys with their sections and lessons. */
export async function putJourneys(run: ImportRun, plans: JourneyPlan[]): Promise<void> {
  const rows = plans.map(({ journey, courseId, position, key }): journeyStore.JourneyRow => {
    const {
      id,
      slug,
      title,
      description = {},
      privacy,
      price = null,
      evaluation = [],
      certificateMonths = null,
    } = journey;
    return {
      key,
      course_id: courseId,
      entry_id: run.idOf(journey),
      id,
      slug,
      title,
      description,
      privacy,
      price,
      evaluation,
      certificate_months: certificateMonths,
      position,
      withdrawn_at: null,
    };
  });
  run.tally.rows(await journeyStore.putJourneys(run.db, rows));
  const keys = plans.map((plan) => plan.key);
  const sections = plans.flatMap(({ journey, key }) =>
    journey.sections.map(({ heading }, position): journeyStore.SectionRow => ({
      key: newId(),
      journey_key: key,
      heading,
      position,
    })),
  );
  run.tally.changed(await journeyStore.putSections(run.db, keys, sections));
  await putLessons(run, plans);
  run.tally.changed(await journeyStore.deleteOtherSections(run.db, keys, sections));
}

async function putLessons(run: ImportRun, plans: JourneyPlan[]): Promise<void> {
  const journeyKeys = plans.map((plan) => plan.key);
  const sectionKeys = await journeyStore.findSectionKeys(run.db, journeyKeys);
  const known = await journeyStore.findLessons(run.db, journeyKeys);
  const rows: journeyStore.ImportedLessonRow[] = [];
  const bodies: store.BodyRow[] = [];
  for (const { journey, key: journeyKey } of plans) {
    const lessons = journey.sections.flatMap((section, at) =>
      section.lessons.map((lesson) => ({ ...lesson, lesson, at })),
    );
    const match = matchRows(
      lessons,
      known.filter((row) => row.journeyKey === journeyKey),
    );
    const left = match.left.filter((row) => !row.isWithdrawn).map((row) => row.key);
    await entryStore.freeSlugs(
      run.db,
      'lessons',
      match.blocking.map((row) => row.key),
    );
    await journeyStore.withdrawRows(run.db, 'lessons', left);
    for (const key of left) run.tally.mark(key, 'withdrawn');
    for (const [position, item] of lessons.entries()) {
      const key = match.rows.get(item)?.key ?? newId();
      const { id, slug, title, minutes, mandatory, discussion = {}, assessment = null } = item;
      const section_key = sectionKeys.get(`${journeyKey}:${item.at}`) ?? '';
      rows.push({
        key,
        journey_key: journeyKey,
        section_key,
        id,
        slug,
        title,
        minutes,
        mandatory,
        discussion,
        assessment,
        position,
        withdrawn_at: null,
      });
      for (const body of run.prepared.lessons.get(item.lesson)?.bodies ?? [])
        bodies.push({ lesson_key: key, microcourse_id: null, ...body });
    }
  }
  const keys = rows.map((row) => row.key);
  run.tally.expect(keys);
  run.tally.rows(await journeyStore.putLessons(run.db, rows));
  run.tally.changed(await store.putBodies(run.db, 'lesson_key', keys, bodies));
}
