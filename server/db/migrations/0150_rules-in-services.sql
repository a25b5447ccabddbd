-- These rules are services now: granting enrolments by address, restoring removed content, and the shape of progress.
drop function if exists settle_enrolment(uuid);
drop function if exists follow_enrolment(uuid);
drop function if exists restore_removed(uuid);
drop function if exists restore_reply(moderation_decisions);
drop function if exists restore_activity(uuid);
drop function if exists journey_progress(uuid, uuid, uuid);
