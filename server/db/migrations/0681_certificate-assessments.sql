-- The assessments that a certificate rests on, as stated when it was issued; null: it states none.
alter table certificates add column assessments jsonb check (jsonb_typeof(assessments) = 'array');
