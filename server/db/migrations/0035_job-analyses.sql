-- What was last asked about a job, so that its analysis can be made again: in the language of whoever reads it, and
-- with the courses they may see then. {"jobTitle": …, "organization": … or null, "tasks": […]}
alter table ai_threads add column job jsonb;

-- Kept until now only as the lines of the question: title and organization, then the tasks.
update ai_threads t
set job = jsonb_build_object('jobTitle', t.title, 'organization', null, 'tasks', coalesce((
  select to_jsonb((regexp_split_to_array(m.content, '\n+'))[2:])
  from ai_messages m where m.thread_id = t.id and m.role = 'user' order by m.id desc limit 1), '[]'))
where t.job_title is not null;

alter table ai_threads add constraint ai_threads_job check ((job is null) = (job_title is null));
