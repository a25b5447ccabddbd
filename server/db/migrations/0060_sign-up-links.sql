-- The link of a sign-up carries a secret of its own, which cannot be guessed as six digits can.
alter table challenges drop constraint challenges_kind_check;
alter table challenges add constraint challenges_kind_check check (kind in ('sign-up', 'sign-up-link', 'login-link',
  'session-token', 'onboarding', 'password-reset', 'email-change', 'second-factor', 'confirmation'));
