-- Roles that administrators assign to people, each in one place. What a role allows is decided in server/access/roles.ts.
create table role_assignments (
  id uuid primary key default new_id(),
  user_id uuid not null references users on delete cascade,
  role text not null,
  kind text not null,
  academy_id text references academies on delete cascade,
  course_id text references courses on delete cascade,
  cohort_id uuid references cohorts on delete cascade,
  community_id uuid references communities on delete cascade,
  given_by uuid references users on delete set null,
  given_at timestamptz not null default now(),
  constraint role_assignments_place check (case kind
    when 'installation' then num_nonnulls(academy_id, course_id, cohort_id, community_id) = 0
    when 'academy' then academy_id is not null and num_nonnulls(course_id, cohort_id, community_id) = 0
    when 'course' then course_id is not null and num_nonnulls(academy_id, cohort_id, community_id) = 0
    when 'cohort' then cohort_id is not null and num_nonnulls(academy_id, course_id, community_id) = 0
    when 'community' then community_id is not null and num_nonnulls(academy_id, course_id, cohort_id) = 0
    else false end),
  constraint role_assignments_role check (case role
    when 'auditor' then kind = 'installation'
    when 'report-reader' then kind in ('installation', 'academy', 'course', 'cohort')
    when 'cohort-manager' then kind = 'cohort'
    when 'moderator' then kind = 'community'
    when 'course-owner' then kind in ('academy', 'course')
    when 'author' then kind in ('academy', 'course')
    when 'translator' then kind in ('academy', 'course')
    else false end),
  -- The person of one role in one place has one row. Sessions read all rows of their person.
  constraint role_assignments_once unique nulls not distinct
    (user_id, role, academy_id, course_id, cohort_id, community_id)
);
-- The holders of roles in a place, and deletions of the place.
create index role_assignments_academy on role_assignments (academy_id) where academy_id is not null;
create index role_assignments_course on role_assignments (course_id) where course_id is not null;
create index role_assignments_cohort on role_assignments (cohort_id) where cohort_id is not null;
create index role_assignments_community on role_assignments (community_id) where community_id is not null;
-- Erasure of the administrator.
create index role_assignments_given_by on role_assignments (given_by) where given_by is not null;
