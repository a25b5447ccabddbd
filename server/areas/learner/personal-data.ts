import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

/** The journey of a row, as exports show it. */
export const JOURNEY = sql`(
  select c.slug || '/' || j.slug from journeys j join courses c on c.id = j.course_id where j.key = t.journey_key)`;

/** The lesson of a row, likewise. */
const LESSON = sql`(
  select c.slug || '/' || j.slug || '/' || l.slug from lessons l join journeys j on j.key = l.journey_key
  join courses c on c.id = j.course_id where l.key = t.lesson_key)`;

export const journeyEnrolments = definePersonalTable({
  table: 'journey_enrolments',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
    user_id: leftOut('the person'),
    journey_key: leftOut('`journey` names it'),
    locale: 'language',
    status: 'status',
    expires_on: 'expiresAt',
    started_at: leftOut('the time of the first completion'),
    completed_at: 'completedAt',
    metadata: 'detail',
    extra_time: 'extraTime',
    cohort_id: leftOut('the cohort that enrolled the person; memberships are exported'),
    renewal_begun_at: 'renewalBegunAt',
    renewal_completed_at: 'renewalCompletedAt',
    seen_revision: leftOut('of the journey'),
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  also: () => ({ journey: JOURNEY }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const microcourseCompletions = definePersonalTable({
  table: 'microcourse_completions',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    microcourse_id: leftOut('`microcourse` names it'),
    completed_at: 'completedAt',
  },
  also: () => ({ microcourse: sql`(select slug from microcourses where id = t.microcourse_id)` }),
  order: 'completed_at',
  erase: { rows: 'deleted' },
});

export const lessonCompletions = definePersonalTable({
  table: 'lesson_completions',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
    user_id: leftOut('the person'),
    lesson_key: leftOut('`lesson` names it'),
    locale: 'language',
    completed_at: 'completedAt',
    progress: 'progress',
    revision: leftOut('of the journey'),
    lapsed_at: 'lapsedAt',
  },
  also: () => ({ lesson: LESSON }),
  order: 'completed_at',
  erase: { rows: 'deleted' },
});

export const assessmentAttempts = definePersonalTable({
  table: 'assessment_attempts',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
    user_id: leftOut('the person'),
    lesson_key: leftOut('`lesson` names it'),
    locale: 'language',
    pass_mark: 'passMark',
    review: leftOut('a setting of the lesson'),
    questions: leftOut('contains the key; `answers` names them'),
    answers: leftOut('with their questions in `answers`'),
    marks: leftOut('with their questions in `answers`'),
    mark_version: leftOut('counts changes of the marks'),
    started_at: 'startedAt',
    due_at: 'dueAt',
    submitted_at: 'submittedAt',
    score: 'score',
    passed: 'passed',
    lapsed_at: 'lapsedAt',
  },
  also: () => ({
    lesson: LESSON,
    answers: sql`(
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'points', case when t.passed is not null then t.marks -> n::text -> 'points' end,
        'comment', case when t.passed is not null then nullif(t.marks -> n::text ->> 'comment', '') end))
        || jsonb_build_object('question', html_text(q ->> 'questionHtml'), 'answer', coalesce(
        (select jsonb_agg(html_text(q -> 'options' -> (c::integer - 1) ->> 'html'))
          from jsonb_array_elements_text(t.answers -> n::text -> 'choice') c),
        (select jsonb_agg(jsonb_build_object(
            'text', html_text(coalesce(q -> 'prompts', q -> 'options') -> (nth::integer - 1) ->> 'html'),
            'place', case when q ? 'prompts' then to_jsonb(html_text(q -> 'options' -> (place::integer - 1) ->> 'html'))
              else to_jsonb(place::integer) end) order by nth)
          from jsonb_array_elements_text(t.answers -> n::text -> 'places') with ordinality given(place, nth)
          where place <> '0'),
        t.answers -> n::text -> 'gaps',
        to_jsonb(t.answers -> n::text ->> 'text'))) order by n)
      from jsonb_array_elements(t.questions) with ordinality drawn(q, n))`,
  }),
  order: 'started_at',
  erase: { rows: 'deleted' },
});

export const evaluationPeople = definePersonalTable({
  table: 'evaluation_people',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    journey_key: leftOut('`journey` names it'),
    outcome: 'outcome',
  },
  also: () => ({ journey: JOURNEY }),
  order: 'journey_key',
  erase: { rows: 'deleted' },
});

export const payments = definePersonalTable({
  table: 'payments',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    user_id: leftOut('the person'),
    journey_key: leftOut('`journey` names it'),
    title: 'title',
    locale: leftOut('the language of the title'),
    amount: 'amount',
    currency: 'currency',
    state: 'status',
    session_id: leftOut('the page at Stripe'),
    pay_url: leftOut('the page at Stripe'),
    intent: 'stripePayment',
    gave_place: leftOut('for a refund'),
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    checked_at: leftOut('marks a question to Stripe'),
    paid_at: 'paidAt',
  },
  also: () => ({ journey: JOURNEY }),
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'The accounts need every payment. It stays without the person.',
    async run(db, { id }) {
      await db.updateTable('payments').set({ user_id: null, pay_url: null }).where('user_id', '=', id).execute();
    },
  },
});
