-- The price of a paid journey: amount and currency, such as 49.00 EUR.
alter table journeys add column price text check (price ~ '^[0-9]{1,6}([.][0-9]{2})? [A-Z]{3}$');

-- Payments at Stripe. They stay for the accounts, without the person once that is erased.
create table payments (
  id uuid primary key,
  user_id uuid references users on delete set null,
  journey_key uuid not null references journeys,
  locale text not null,
  title text not null,                    -- of the journey when it was bought
  amount integer not null check (amount > 0),
  currency text not null,
  state text not null default 'open'
    check (state in ('open', 'processing', 'paid', 'failed', 'expired', 'refunded', 'disputed')),
  session_id text unique,                 -- null until Stripe has answered
  pay_url text,
  intent text unique,
  gave_place boolean not null default false, -- the payment enrolled the person, so its refund ends that
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  checked_at timestamptz not null default now(), -- when Stripe was last asked
  paid_at timestamptz
);
-- One payment a person and journey at a time.
create unique index payments_unsettled on payments (user_id, journey_key) where state in ('open', 'processing');
-- The payments of a person.
create index payments_user on payments (user_id, id);
-- The deletion of a journey.
create index payments_journey on payments (journey_key);
-- Payments to ask Stripe about.
create index payments_unchecked on payments (checked_at) where state in ('open', 'processing');

-- Events that were applied. A refund may arrive before the completion of its session, which then reads it here.
create table payment_events (
  id text primary key,
  type text not null,
  intent text,                            -- of a full refund or a dispute
  received_at timestamptz not null default now()
);
create index payment_events_intent on payment_events (intent) where intent is not null;
create index payment_events_received on payment_events (received_at);
