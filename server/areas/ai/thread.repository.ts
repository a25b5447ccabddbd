import type { AnswerMaker, Reference } from '@officium/contract/ai';
import { sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { type Db, newId } from '#server/db/client.ts';

/** The person's conversation about a lesson, begun with this title when there is none. Takes its lock. */
export async function openThread(
  db: Db,
  thread: { userId: string; lessonKey: string; title: string },
): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into ai_threads (id, user_id, lesson_key, title)
    values (${newId()}, ${thread.userId}, ${thread.lessonKey}, ${thread.title})
    on conflict (user_id, lesson_key) do update set updated_at = clock_timestamp()
    returning id`.execute(db);
  return rows[0]!; // written or found
}

/** What was asked about a job. */
export type AskedJob = { jobTitle: string; organization: string | null; tasks: string[] };

/**
 * The person's conversation about a job, begun when there is none. `jobTitle` is what tells jobs apart, `job` what is
 * asked now. Takes its lock.
 */
export async function openJobThread(
  db: Db,
  thread: { userId: string; jobTitle: string; title: string; job: AskedJob },
): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into ai_threads (id, user_id, job_title, title, job)
    values (${newId()}, ${thread.userId}, ${thread.jobTitle}, ${thread.title}, ${JSON.stringify(thread.job)})
    on conflict (user_id, job_title) do update set updated_at = clock_timestamp(), job = excluded.job
    returning id`.execute(db);
  return rows[0]!; // written or found
}

/** Adds a question and its answer, with what it rests on as paths. */
export async function insertExchange(
  db: Db,
  exchange: { threadId: string; question: string; answer: string; quotations?: Reference[]; madeBy?: AnswerMaker },
): Promise<void> {
  const { threadId, question, answer, quotations = [], madeBy = null } = exchange;
  await sql`
    insert into ai_messages (id, thread_id, role, content, quotations, made_by, created_at)
    values (${newId()}, ${threadId}, 'user', ${question}, '[]', null, clock_timestamp()),
      (${newId()}, ${threadId}, 'assistant', ${answer}, ${JSON.stringify(quotations)}, ${madeBy}, clock_timestamp())`.execute(
    db,
  );
}

export type ThreadRow = {
  id: string;
  title: string;
  created_at: Date;
  lesson: { courseSlug: string; journeySlug: string; lessonSlug: string } | null;
  messages: {
    role: 'user' | 'assistant';
    content: string;
    createdAt: string;
    references: Reference[];
    madeBy: AnswerMaker | null;
  }[];
};

const lessonOf = sql`
  select c.slug as "courseSlug", j.slug as "journeySlug", l.slug as "lessonSlug"
  from lessons l join journeys j on j.key = l.journey_key join courses c on c.id = j.course_id
  where l.key = t.lesson_key and l.withdrawn_at is null`;

/** Conversations about lessons of the courses that are open to who asks; those about jobs are in none. */
function isOpenTo(courses: string[] | null) {
  if (courses === null) return sql`true`;
  return sql`(t.lesson_key is null or exists (
    select from lessons l join journeys j on j.key = l.journey_key join courses c on c.id = j.course_id
    where l.key = t.lesson_key and ${isOpenSlug('c.slug', courses)}))`;
}

/** `lesson` as `<course>/<journey>/<lesson>`; `courses` are those open to who asks. */
type Whose = { userId: string; courses: string[] | null; lesson?: string | undefined };

function isOf({ userId, courses, lesson }: Whose) {
  const isTheirs = sql`t.user_id = ${userId} and ${isOpenTo(courses)}`;
  if (lesson === undefined) return isTheirs;
  return sql`${isTheirs} and exists (
    select from (${lessonOf}) at where at."courseSlug" || '/' || at."journeySlug" || '/' || at."lessonSlug" = ${lesson})`;
}

/** A page of a person's conversations, those last used first, each with its last messages. */
export async function findThreads(
  db: Db,
  page: Whose & { limit: number; offset: number; messages: number },
): Promise<ThreadRow[]> {
  const { rows } = await sql<ThreadRow>`
    select t.id, t.title, t.created_at, (select row_to_json(at) from (${lessonOf}) at) as lesson, (
      select coalesce(json_agg(json_build_object('role', m.role, 'content', m.content,
        'createdAt', api_time(m.created_at), 'references', m.quotations, 'madeBy', m.made_by) order by m.id), '[]')
      from (select * from ai_messages where thread_id = t.id order by id desc limit ${page.messages}) m) as messages
    from ai_threads t where ${isOf(page)}
    order by t.updated_at desc, t.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countThreads(db: Db, whose: Whose): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ai_threads t where ${isOf(whose)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Deletes a conversation of this person; false when they have no such. */
export async function deleteThread(db: Db, { id, ...whose }: Whose & { id: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ai_threads t where t.id = ${id} and ${isOf(whose)}`.execute(db);
  return numAffectedRows === 1n;
}
