// Raw SQL: comparisons with the database clock, and the lock of a payment's money.
import { type SqlBool, sql } from 'kysely';
import type { Payment } from '@officium/contract/payments';
import { newId, NOW, type Db } from '#server/db/client.ts';

export type PaymentState = Payment['state'];

/** A payment with the addresses of its journey. */
export type PaymentRow = {
  id: string;
  user_id: string | null;
  journey_key: string;
  title: string;
  locale: string;
  amount: number;
  currency: string;
  state: PaymentState;
  session_id: string | null;
  pay_url: string | null;
  intent: string | null;
  gave_place: boolean;
  created_at: Date;
  paid_at: Date | null;
  course_slug: string;
  journey_slug: string;
};

/** Minutes in which an open payment can be paid; its page at Stripe closes then. */
export const OPEN_MINUTES = 60;
/** Minutes after which a payment without a page gets none: Stripe keeps a page open for half an hour at least. */
const PAGELESS_MINUTES = 25;

const ago = (age: string) => sql<Date>`now() - ${sql.lit(age)}::interval`;

const rows = (db: Db) =>
  db
    .selectFrom('payments as p')
    .innerJoin('journeys as j', 'j.key', 'p.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select([
      'p.id',
      'p.user_id',
      'p.journey_key',
      'p.title',
      'p.locale',
      'p.amount',
      'p.currency',
      'p.state',
      'p.session_id',
      'p.pay_url',
      'p.intent',
      'p.gave_place',
      'p.created_at',
      'p.paid_at',
      'c.slug as course_slug',
      'j.slug as journey_slug',
    ])
    .$castTo<PaymentRow>(); // the states of the check constraint

export async function getPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return await rows(db).where('p.id', '=', id).executeTakeFirst();
}

/** Locks a payment until the transaction ends. */
export async function lockPayment(db: Db, by: { id: string } | { intent: string }): Promise<PaymentRow | undefined> {
  return await rows(db)
    .$if('id' in by, (query) => query.where('p.id', '=', 'id' in by ? by.id : ''))
    .$if('intent' in by, (query) => query.where('p.intent', '=', 'intent' in by ? by.intent : ''))
    .forUpdate('p')
    .executeTakeFirst();
}

/** The newest payments of a person. */
export async function findPaymentsOf(db: Db, userId: string): Promise<PaymentRow[]> {
  return await rows(db).where('p.user_id', '=', userId).orderBy('p.id', 'desc').limit(200).execute();
}

export type NewPayment = Pick<PaymentRow, 'journey_key' | 'title' | 'locale' | 'amount' | 'currency'> & {
  user_id: string;
};

/** Opens a payment, unless one for the same person and journey is open. Returns the open one. */
export async function openPayment(db: Db, payment: NewPayment): Promise<PaymentRow | undefined> {
  await db
    .insertInto('payments')
    .values({ id: newId(), ...payment })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'journey_key']).where('state', 'in', ['open', 'processing']).doNothing(),
    )
    .execute();
  return await getUnsettled(db, payment);
}

/** The payment of a person for a journey that is open or waits for the bank. */
export async function getUnsettled(
  db: Db,
  { user_id, journey_key }: Pick<NewPayment, 'user_id' | 'journey_key'>,
): Promise<PaymentRow | undefined> {
  return await rows(db)
    .where('p.user_id', '=', user_id)
    .where('p.journey_key', '=', journey_key)
    .where('p.state', 'in', ['open', 'processing'])
    .executeTakeFirst();
}

/** Whether the page of an open payment has closed, by the database clock. */
export async function isOver(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select(sql<SqlBool>`state = 'open' and created_at < ${ago(`${OPEN_MINUTES} minutes`)}`.as('over'))
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.over === true;
}

/** Expires payments whose page was never made. Nobody can have paid them. */
export async function expirePageless(db: Db): Promise<void> {
  await db
    .updateTable('payments')
    .set({ state: 'expired', updated_at: NOW })
    .where('state', '=', 'open')
    .where('session_id', 'is', null)
    .where('created_at', '<', ago(`${PAGELESS_MINUTES} minutes`))
    .execute();
}

export async function setPage(db: Db, id: string, page: { session_id: string; pay_url: string }): Promise<void> {
  await db
    .updateTable('payments')
    .set({ ...page, updated_at: NOW })
    .where('id', '=', id)
    .execute();
}

export async function setState(
  db: Db,
  id: string,
  change: { state: PaymentState; intent?: string; gave_place?: boolean; isPaid?: boolean },
): Promise<void> {
  const { isPaid = false, ...columns } = change;
  await db
    .updateTable('payments')
    .set((eb) => ({
      ...columns,
      updated_at: NOW,
      ...(change.state === 'open' ? {} : { pay_url: null }),
      ...(isPaid ? { paid_at: eb.fn.coalesce('paid_at', NOW) } : {}),
    }))
    .where('id', '=', id)
    .execute();
}

/** Makes transactions about the same money wait for each other: a refund may arrive beside its completion. */
export async function lockIntent(db: Db, intent: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${intent}, 5301))`.execute(db);
}

/** Records an event once. False when it was applied before. */
export async function recordEvent(
  db: Db,
  event: { id: string; type: string; intent: string | null },
): Promise<boolean> {
  const row = await db
    .insertInto('payment_events')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The state that a refund or dispute of this money has set before its completion arrived. */
export async function getReversal(db: Db, intent: string): Promise<'refunded' | 'disputed' | undefined> {
  const row = await db
    .selectFrom('payment_events')
    .select('type')
    .where('intent', '=', intent)
    .orderBy('received_at', 'desc')
    .executeTakeFirst();
  return row && (row.type === 'charge.refunded' ? 'refunded' : 'disputed');
}

/** Payments to ask Stripe about: less often the older they are. Marks them as asked. */
export async function takeUnchecked(db: Db, limit: number): Promise<{ id: string; session_id: string }[]> {
  return await db
    .updateTable('payments')
    .set({ checked_at: NOW })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('state', 'in', ['open', 'processing'])
        .where('session_id', 'is not', null)
        .where(sql<SqlBool>`checked_at < now() - greatest(interval '10 minutes', (now() - created_at) / 10)`)
        .orderBy('checked_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'session_id'])
    .$narrowType<{ session_id: string }>()
    .execute();
}

/**
 * Enrols a person who paid, without an end. A current enrolment stays as it is, and the answer is false, unless a cohort made
 * it. The metadata is that of an enrolment given to a person, which does not end with a cohort.
 */
export async function enrolPaid(
  db: Db,
  { userId, journeyKey, locale }: { userId: string; journeyKey: string; locale: string },
): Promise<boolean> {
  const metadata = JSON.stringify({ bulkEnrolment: false, cohortIds: [] });
  const row = await db
    .insertInto('journey_enrolments')
    .values({ id: newId(), user_id: userId, journey_key: journeyKey, locale, status: 'enrolled', metadata })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'journey_key'])
        .doUpdateSet({ status: 'enrolled', expires_on: null, cohort_id: null, metadata, updated_at: NOW })
        .where((eb) =>
          eb.or([
            eb(
              eb.fn('enrolment_status', ['journey_enrolments.status', 'journey_enrolments.expires_on']),
              '<>',
              'enrolled',
            ),
            eb('journey_enrolments.cohort_id', 'is not', null),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the enrolment that a payment gave, unless a cohort or another payment gives it too. Progress stays. */
export async function endPaidPlace(
  db: Db,
  { id, userId, journeyKey }: { id: string; userId: string; journeyKey: string },
): Promise<void> {
  await db
    .updateTable('journey_enrolments as e')
    .from('journeys as j')
    .set({ status: 'expired', expires_on: sql<Date>`least(e.expires_on, now())`, updated_at: NOW })
    .whereRef('j.key', '=', 'e.journey_key')
    .where('e.user_id', '=', userId)
    .where('e.journey_key', '=', journeyKey)
    .where((eb) => eb(eb.fn('enrolment_status', ['e.status', 'e.expires_on']), '=', 'enrolled'))
    .where((eb) => eb.not(eb.fn<boolean>('is_granted', ['e.user_id', 'j.course_id'])))
    .where((eb) => eb.not(eb.fn.coalesce(eb.fn<boolean>('is_granted', ['e.user_id', 'j.entry_id']), eb.lit(false))))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payments as o')
            .select('o.id')
            .whereRef('o.user_id', '=', 'e.user_id')
            .whereRef('o.journey_key', '=', 'e.journey_key')
            .where('o.state', '=', 'paid')
            .where('o.id', '<>', id),
        ),
      ),
    )
    .execute();
}
