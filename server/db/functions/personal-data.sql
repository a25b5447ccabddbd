-- Erasure of people.

-- Refuses rows by or about an erased person, from a request that was running or a process with an outdated cache.
-- Erasure changes the row of `users`, and a row about a person locks that row: either the erasure waits for the new row
-- and then deletes it too, or the new row waits for the erasure and is refused here. The trigger runs after the insert,
-- so an insert that finds an existing row does not wait. An idempotency key is checked when its reply is written: a
-- request that changes a community locks the community before the person, as erasure does.
create or replace function refuse_erased() returns trigger language plpgsql as $$
declare
  person uuid;
  is_erased boolean;
begin
  if tg_table_name in ('activities', 'articles', 'moderation_decisions') then
    person := new.author_id;
  elsif tg_table_name = 'referrals' then
    person := new.referrer_id;
  elsif tg_table_name = 'idempotency_keys' then
    person := case when new.caller ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then new.caller::uuid end;
  elsif tg_argv[0] = 'person_id' then
    person := new.person_id;
  else
    person := new.user_id;
  end if;
  select u.erased_at is not null into is_erased from users u where u.id = person for key share;
  if is_erased then
    raise exception 'the person is erased' using errcode = 'OF001';
  end if;
  return null;
end $$;
create or replace trigger refuse_erased after insert on academy_members for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on activities for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on ai_calls for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on ai_person_tokens for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on ai_threads for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on article_pictures for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on articles for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on certificates for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on challenges for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on cohort_drafts for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on cohort_joiners for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on cohort_members for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on community_members for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on community_turns for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert or update of user_id on content_imports for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert or update of user_id on content_pieces for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on incoming_files for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on resumable_uploads for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on post_pictures for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on stored_files for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on content_reports for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on content_writers for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on content_versions for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on data_exports for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on evaluation_people for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert or update on event_feeds for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on event_registrations for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on follows for each row execute function refuse_erased();
create or replace trigger refuse_erased_person after insert on follows
  for each row when (new.person_id is not null) execute function refuse_erased('person_id');
create or replace trigger refuse_erased after update on idempotency_keys for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on journey_enrolments for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on learner_reminders for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on learning_months for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on lesson_completions for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on assessment_attempts for each row
  execute function refuse_erased();
create or replace trigger refuse_erased after insert on microcourse_completions for each row
  execute function refuse_erased();
create or replace trigger refuse_erased after insert on mails for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on moderation_claims for each row execute function refuse_erased();
create or replace trigger refuse_erased after update of appeal_text on moderation_decisions
  for each row when (new.appeal_text is not null) execute function refuse_erased();
create or replace trigger refuse_erased after insert on moderation_held_likes for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on notification_preferences for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on notification_settings for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on passkey_challenges for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on passkeys for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on password_history for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on payments for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on poll_votes for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on provider_identities for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on reactions for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert or update on push_devices for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on recovery_codes for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on referrals for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on role_assignments for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on sessions for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on totp_factors for each row execute function refuse_erased();
create or replace trigger refuse_erased after insert on whole_exports for each row execute function refuse_erased();
