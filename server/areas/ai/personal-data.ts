import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const aiThreads = definePersonalTable({
  table: 'ai_threads',
  part: 'assistant',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    user_id: leftOut('the person'),
    lesson_key: leftOut('exported as `lesson`'),
    job_title: 'jobTitle',
    job: leftOut('the messages contain the question'),
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
    id: leftOut('internal id of the row'),
    thread_id: 'threadId',
    role: 'role',
    content: 'text',
    quotations: 'quotations',
    made_by: 'madeBy',
    created_at: 'createdAt',
  },
  order: 'id',
  erase: { rows: 'deleted' },
});

export const aiPersonTokens = definePersonalTable({
  table: 'ai_person_tokens',
  part: 'assistant',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: { user_id: leftOut('the person'), day: leftOut('exported as `day` without a time'), tokens: 'tokens' },
  also: () => ({ day: sql`t.day::text` }),
  order: 'day',
  erase: { rows: 'deleted' },
});

export const aiCalls = definePersonalTable({
  table: 'ai_calls',
  part: 'assistant',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    day: leftOut('derived from `begun_at`'),
    tokens: 'tokens',
    begun_at: 'createdAt',
  },
  order: 'begun_at',
  erase: { rows: 'deleted' },
});
