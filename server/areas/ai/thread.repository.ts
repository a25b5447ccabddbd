import { sql } from 'kysely';
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

/** The person's conversation about a job, begun when there is none. `jobTitle` is what tells jobs apart. Takes its lock. */
export async function openJobThread(
  db: Db,
  thread: { userId: string; jobTitle: string; title: string },
): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into ai_threads (id, user_id, job_title, title)
    values (${newId()}, ${thread.userId}, ${thread.jobTitle}, ${thread.title})
    on conflict (user_id, job_title) do update set updated_at = clock_timestamp()
    returning id`.execute(db);
  return rows[0]!; // written or found
}

/** Adds a question and its answer. */
export async function insertExchange(
  db: Db,
  exchange: { threadId: string; question: string; answer: string },
): Promise<void> {
  const { threadId, question, answer } = exchange;
  await sql`
    insert into ai_messages (id, thread_id, role, content, created_at)
    values (${newId()}, ${threadId}, 'user', ${question}, clock_timestamp()),
      (${newId()}, ${threadId}, 'assistant', ${answer}, clock_timestamp())`.execute(db);
}

export type ThreadRow = {
  id: string;
  title: string;
  created_at: Date;
  messages: { role: 'user' | 'assistant'; content: string; createdAt: string }[];
};

/** A page of a person's conversations, those last used first, each with its last messages. */
export async function findThreads(
  db: Db,
  page: { userId: string; limit: number; offset: number; messages: number },
): Promise<ThreadRow[]> {
  const { rows } = await sql<ThreadRow>`
    select t.id, t.title, t.created_at, (
      select coalesce(json_agg(json_build_object('role', m.role, 'content', m.content,
        'createdAt', api_time(m.created_at)) order by m.id), '[]')
      from (select * from ai_messages where thread_id = t.id order by id desc limit ${page.messages}) m) as messages
    from ai_threads t where t.user_id = ${page.userId}
    order by t.updated_at desc, t.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countThreads(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ai_threads where user_id = ${userId}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Deletes a conversation of this person; false when they have no such. */
export async function deleteThread(db: Db, thread: { id: string; userId: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ai_threads where id = ${thread.id} and user_id = ${thread.userId}`.execute(db);
  return numAffectedRows === 1n;
}
