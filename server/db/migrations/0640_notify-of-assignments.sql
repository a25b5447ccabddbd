alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder', 'community_post', 'thread_reply', 'person_post', 'new_article',
  'role_change', 'registration_waiting', 'registration_decided', 'join_request', 'report_waiting', 'appeal_waiting',
  'assignment'));
