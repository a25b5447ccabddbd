-- The words of a manager of the cohort in its invitation mails.
alter table cohorts add column invitation_words text check (length(invitation_words) between 1 and 2000);
