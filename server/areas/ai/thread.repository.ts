import type { AnswerMaker, Reference } from '@officium/contract/ai';
import { type ExpressionBuilder, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { type Db, newId } from '#server/db/client.ts';
import type { AiThreads, DB } from '#server/db/schema.ts';

/** Returns the user's conversation about a lesson, creating it with this title if needed. Locks it. */
export async function openThread(
  db: Db,
  thread: { userId: string; lessonKey: string; title: string },
): Promise<{ id: string }> {
  return await db
    .insertInto('ai_threads')
    .values({ id: newId(), user_id: thread.userId, lesson_key: thread.lessonKey, title: thread.title })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'lesson_key']).doUpdateSet({ updated_at: sql<Date>`clock_timestamp()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A question about a job. */
export type JobQuestion = { jobTitle: string; organization: string | null; tasks: string[] };

/**
 * Returns the user's conversation about a job, creating it if needed. `jobTitle` identifies the job, `job` is the
 * current question. Locks it.
 */
export async function openJobThread(
  db: Db,
  thread: { userId: string; jobTitle: string; title: string; job: JobQuestion },
): Promise<{ id: string }> {
  return await db
    .insertInto('ai_threads')
    .values({
      id: newId(),
      user_id: thread.userId,
      job_title: thread.jobTitle,
      title: thread.title,
      job: JSON.stringify(thread.job),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'job_title'])
        .doUpdateSet((eb) => ({ updated_at: sql<Date>`clock_timestamp()`, job: eb.ref('excluded.job') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Adds a question and its answer. Quotations refer to paths. */
export async function insertExchange(
  db: Db,
  exchange: { threadId: string; question: string; answer: string; quotations?: Reference[]; madeBy?: AnswerMaker },
): Promise<void> {
  const { threadId, question, answer, quotations = [], madeBy = null } = exchange;
  const shared = { thread_id: threadId, created_at: sql<Date>`clock_timestamp()` };
  await db
    .insertInto('ai_messages')
    .values([
      { ...shared, id: newId(), role: 'user', content: question, quotations: '[]', made_by: null },
      {
        ...shared,
        id: newId(),
        role: 'assistant',
        content: answer,
        quotations: JSON.stringify(quotations),
        made_by: madeBy,
      },
    ])
    .execute();
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

type FromThread = ExpressionBuilder<DB & { t: AiThreads }, 't'>;

/** The lesson of a conversation `t`. */
function lessonOf(eb: FromThread) {
  return eb
    .selectFrom('lessons as l')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select(['c.slug as courseSlug', 'j.slug as journeySlug', 'l.slug as lessonSlug'])
    .whereRef('l.key', '=', 't.lesson_key');
}

/** `lesson` is `<course>/<journey>/<lesson>`; `courses` are those open to the viewer. */
type ThreadOwner = { userId: string; courses: string[] | null; lesson?: string | undefined };

/** Condition: the conversation is the user's and about one of the courses, or about a job. */
function isOf({ userId, courses, lesson }: ThreadOwner) {
  return (eb: FromThread) => {
    const conditions = [eb('t.user_id', '=', userId)];
    if (courses !== null) {
      const inOpenCourse = eb.exists(lessonOf(eb).where(isOpenSlug('c.slug', courses)));
      conditions.push(eb.or([eb('t.lesson_key', 'is', null), inOpenCourse]));
    }
    if (lesson !== undefined) {
      const withPath = lessonOf(eb).where((of) => {
        const slugs = [of.ref('c.slug'), of.ref('j.slug'), of.ref('l.slug')];
        return sql<boolean>`${sql.join(slugs, sql` || '/' || `)} = ${lesson}`;
      });
      conditions.push(eb.exists(withPath.where('l.withdrawn_at', 'is', null)));
    }
    return eb.and(conditions);
  };
}

/** The latest messages of a conversation `t` as JSON. */
function latestMessages(eb: FromThread, limit: number) {
  return eb
    .selectFrom((of) =>
      of
        .selectFrom('ai_messages')
        .selectAll()
        .whereRef('thread_id', '=', 't.id')
        .orderBy('id', 'desc')
        .limit(limit)
        .as('m'),
    )
    .select((of) => {
      const message = sql`json_build_object('role', ${of.ref('m.role')}, 'content', ${of.ref('m.content')},
        'createdAt', api_time(${of.ref('m.created_at')}), 'references', ${of.ref('m.quotations')},
        'madeBy', ${of.ref('m.made_by')})`;
      return sql<ThreadRow['messages']>`coalesce(json_agg(${message} order by ${of.ref('m.id')}), '[]')`.as('messages');
    })
    .$asScalar()
    .$notNull();
}

/** A user's conversations, last used first, each with its latest messages. */
export async function findThreads(
  db: Db,
  page: ThreadOwner & { limit: number; offset: number; messages: number },
): Promise<ThreadRow[]> {
  return await db
    .selectFrom('ai_threads as t')
    .select((eb) => [
      't.id',
      't.title',
      't.created_at',
      jsonObjectFrom(lessonOf(eb).where('l.withdrawn_at', 'is', null)).as('lesson'),
      latestMessages(eb, page.messages).as('messages'),
    ])
    .where(isOf(page))
    .orderBy('t.updated_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countThreads(db: Db, owner: ThreadOwner): Promise<number> {
  const { total } = await db
    .selectFrom('ai_threads as t')
    .select(sql<number>`count(*)::int`.as('total'))
    .where(isOf(owner))
    .executeTakeFirstOrThrow();
  return total;
}

/** Deletes a user's conversation. False if they have no such conversation. */
export async function deleteThread(db: Db, { id, ...owner }: ThreadOwner & { id: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('ai_threads as t')
    .where('t.id', '=', id)
    .where(isOf(owner))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
