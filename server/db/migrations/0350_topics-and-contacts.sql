-- Topics of courses, microcourses and academies: up to three of those that articles have.
alter table academies add column topics text[] not null default '{}' check (cardinality(topics) <= 3);
alter table courses add column topics text[] not null default '{}' check (cardinality(topics) <= 3);
alter table microcourses add column topics text[] not null default '{}' check (cardinality(topics) <= 3);

-- The contacts of a course, in order.
create table course_contacts (
  course_id text not null references courses on delete cascade,
  position integer not null,
  name text not null,
  role jsonb not null default '{}',
  email text,
  profile_id uuid,                        -- not a foreign key: a content folder may name a profile of another site
  primary key (course_id, position)
);
create index course_contacts_email on course_contacts (email) where email is not null;
create index course_contacts_profile on course_contacts (profile_id) where profile_id is not null;
