import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const aiThreads = definePersonalTable({
  table: 'ai_threads',
  part: 'assistant',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    user_id: leftOut('the person'),
    lesson_key: leftOut('`lesson` names it'),
    job_title: 'jobTitle',
    title: 'title',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  also: () => ({
    lesson: sql`(
      select c.slug || '/' || j.slug || '/' || l.slug from lessons l join journeys j on j.key = l.journey_key
      join courses c on c.id = j.course_id where l.key = t.lesson_key)`,
  }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const aiMessages = definePersonalTable({
  table: 'ai_messages',
  part: 'assistant',
  isAbout: ({ id }) => sql`t.thread_id in (select thread.id from ai_threads thread where thread.user_id = ${id})`,
  columns: {
    id: leftOut('of the row'),
    thread_id: 'threadId',
    role: 'role',
    content: 'text',
    created_at: 'createdAt',
  },
  order: 'id',
  erase: { rows: 'deleted' },
});
