import { sql } from 'kysely';
import type { UserViewer } from '../access/viewer.ts';
import { joinAcademyBySlug } from '#server/areas/catalogue/catalogue.service.ts';
import { issueCertificate } from '#server/areas/certificates/certificate.service.ts';
import { completeLesson } from '../areas/learner/completion.service.ts';
import { enrolMyself } from '../areas/learner/enrolment.service.ts';
import type { Ctx } from '../ctx.ts';
import { type DemoPeople, personOf } from './people.ts';

const DAY_MS = 24 * 3600_000;

type Learning = {
  person: string;
  courseSlug: string;
  journeySlug: string;
  /** How many lessons are completed, from the first on. Left out: all of them, and a certificate is issued. */
  lessons?: number;
  /** When the first and the last of them were completed, in days ago. */
  from: number;
  to: number;
};

const LEARNING: Learning[] = [
  { person: 'learner', courseSlug: 'budgets-and-evidence', journeySlug: 'reading-a-budget', from: 40, to: 24 },
  {
    person: 'learner',
    courseSlug: 'plain-language',
    journeySlug: 'write-to-be-understood',
    lessons: 5,
    from: 12,
    to: 1,
  },
  { person: 'carmen', courseSlug: 'plain-language', journeySlug: 'write-to-be-understood', from: 60, to: 31 },
  { person: 'youssef', courseSlug: 'plain-language', journeySlug: 'write-to-be-understood', from: 50, to: 28 },
];

/** Replays the learning progress of the demo's people through the services, then sets past dates. */
export async function ensureLearning(ctx: Ctx, people: DemoPeople): Promise<void> {
  await joinAcademyBySlug(ctx, personOf(people, 'learner'), 'clear-public-service');
  for (const learning of LEARNING) {
    const actor = personOf(people, learning.person);
    if (await hasBegun(ctx, actor, learning)) continue;
    await learn(ctx, actor, learning);
  }
}

async function hasBegun(ctx: Ctx, actor: UserViewer, { courseSlug, journeySlug }: Learning): Promise<boolean> {
  const { rows } = await sql`
    select 1 from journey_enrolments e join journeys j on j.key = e.journey_key join courses c on c.id = j.course_id
    where e.user_id = ${actor.id} and c.slug = ${courseSlug} and j.slug = ${journeySlug}`.execute(ctx.db);
  return rows.length > 0;
}

async function learn(ctx: Ctx, actor: UserViewer, learning: Learning): Promise<void> {
  const { courseSlug, journeySlug, from, to } = learning;
  const journey = { courseSlug, journeySlug, locale: actor.locale };
  await enrolMyself(ctx, actor, journey);
  const { rows } = await sql<{ key: string; slug: string }>`
    select l.key, l.slug from lessons l join journeys j on j.key = l.journey_key join courses c on c.id = j.course_id
    where c.slug = ${courseSlug} and j.slug = ${journeySlug} and l.withdrawn_at is null order by l.position`.execute(
    ctx.db,
  );
  const lessons = rows.slice(0, learning.lessons);
  const daysAgo = (days: number) => new Date(ctx.clock.now().getTime() - days * DAY_MS);
  for (const [index, lesson] of lessons.entries()) {
    await completeLesson(ctx, actor, { ...journey, lessonSlug: lesson.slug });
    const doneAt = daysAgo(from - ((from - to) * index) / Math.max(1, lessons.length - 1));
    await sql`update lesson_completions set completed_at = ${doneAt} where user_id = ${actor.id} and lesson_key = ${lesson.key}`.execute(
      ctx.db,
    );
  }
  if (learning.lessons === undefined) await issueCertificate(ctx, actor, journey);
  const isJourney = sql`user_id = ${actor.id} and journey_key = (select j.key from journeys j join courses c on c.id = j.course_id
    where c.slug = ${courseSlug} and j.slug = ${journeySlug})`;
  await sql`update journey_enrolments set created_at = ${daysAgo(from)}, updated_at = ${daysAgo(to)},
    completed_at = case when completed_at is not null then ${daysAgo(to)}::timestamptz end where ${isJourney}`.execute(
    ctx.db,
  );
  await sql`update certificates set issued_at = ${daysAgo(to)} where ${isJourney}`.execute(ctx.db);
}
