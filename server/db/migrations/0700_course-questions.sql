-- The question bank of a course by language, as Markdown, and rendered with keys as in `bodies.questions`. Assessments of
-- its lessons draw from it.
create table course_questions (
  course_id text not null references courses on delete cascade,
  locale text not null,
  file text,
  source text not null,
  questions jsonb not null check (jsonb_typeof(questions) = 'array'),
  primary key (course_id, locale)
);
