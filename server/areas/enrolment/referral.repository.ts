import { type ExpressionBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { lockName } from '#server/db/advisory-lock.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';
import type { ReferralRow, ReferralType } from './enrolment.rows.ts';

const NOW = sql<Date>`now()`;

export type ReferralKey = { referrerId: string | null; email: string; type: ReferralType; slug: string };
/** The referrer, and the communities and courses open to the viewer. */
export type ListedReferral = { referrerId: string; open: OpenSlugs };

const COLUMNS = ['id', 'email', 'type', 'slug', 'created_at', 'updated_at'] as const;

const isListed =
  ({ referrerId, open }: ListedReferral) =>
  (eb: ExpressionBuilder<DB, 'referrals'>) =>
    eb.and([
      eb('referrer_id', '=', referrerId),
      eb('removed_at', 'is', null),
      eb
        .case('type')
        .when('communities')
        .then(isOpenSlug('slug', open.communities))
        .when('courses')
        .then(isOpenSlug('slug', open.courses))
        .else(true)
        .end(),
    ]);

/** The published pages with these slugs, as paths, whoever may see them. Events have no pages here. */
export async function findPages(db: Db, slugs: string[]): Promise<Set<string>> {
  const pages = db
    .selectFrom('courses')
    .select(({ ref }) => [sql<string>`'courses/' || ${ref('slug')}`.as('path'), 'slug', 'id as entry_id'])
    .unionAll((eb) =>
      eb
        .selectFrom('microcourses')
        .select(({ ref }) => [sql<string>`'microcourses/' || ${ref('slug')}`.as('path'), 'slug', 'id as entry_id']),
    )
    .unionAll((eb) =>
      eb
        .selectFrom('communities')
        .select(({ ref }) => [sql<string>`'communities/' || ${ref('slug')}`.as('path'), 'slug', 'entry_id']),
    );
  const rows = await db
    .selectFrom(pages.as('p'))
    .innerJoin('entries as x', 'x.id', 'p.entry_id')
    .select('p.path')
    .where('x.status', '=', 'published')
    .where('p.slug', '=', (eb) => eb.fn.any(eb.val(slugs)))
    .execute();
  return new Set(rows.map(({ path }) => path));
}

/** Serialises the referrals of one user, so that the daily limit holds. */
export async function lockReferrer(db: Db, referrerId: string): Promise<void> {
  await lockName(db, `referrals ${referrerId}`);
}

/** Referrals of a user in the last 24 hours, removed ones included, and the seconds until the oldest no longer counts. */
export async function countToday(db: Db, referrerId: string): Promise<{ made: number; waitSeconds: number }> {
  return await db
    .selectFrom('referrals')
    .select((eb) => [
      eb.fn.countAll<number>().as('made'),
      sql<number>`coalesce(extract(epoch from min(${eb.ref('created_at')}) + interval '1 day' - now()), 0)::float8`.as(
        'waitSeconds',
      ),
    ])
    .where('referrer_id', '=', referrerId)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
}

/** Returns the existing referral, and lists it again when it was removed. */
export async function restoreReferral(db: Db, key: ReferralKey): Promise<ReferralRow | undefined> {
  return await db
    .updateTable('referrals')
    .set((eb) => ({
      removed_at: null,
      updated_at: eb.case().when('removed_at', 'is', null).then(eb.ref('updated_at')).else(NOW).end(),
    }))
    .where('referrer_id', 'is not distinct from', key.referrerId)
    .where('email', '=', key.email)
    .where('type', '=', key.type)
    .where('slug', '=', key.slug)
    .returning(COLUMNS)
    .$narrowType<{ type: ReferralType }>()
    .executeTakeFirst();
}

/** Undefined when a concurrent request inserted it first. */
export async function insertReferral(db: Db, key: ReferralKey): Promise<ReferralRow | undefined> {
  return await db
    .insertInto('referrals')
    .values({ id: newId(), referrer_id: key.referrerId, email: key.email, type: key.type, slug: key.slug })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .$narrowType<{ type: ReferralType }>()
    .executeTakeFirst();
}

/** Newest first. */
export async function findReferrals(db: Db, listed: ListedReferral): Promise<ReferralRow[]> {
  return await db
    .selectFrom('referrals')
    .select(COLUMNS)
    .where(isListed(listed))
    .orderBy('id', 'desc')
    .$narrowType<{ type: ReferralType }>()
    .execute();
}

/** Removes all listed referrals except these. */
export async function removeOthers(db: Db, listed: ListedReferral, kept: string[]): Promise<void> {
  await db
    .updateTable('referrals')
    .set({ removed_at: NOW, updated_at: NOW })
    .where(isListed(listed))
    .where('id', '<>', sql<string>`all(${kept}::uuid[])`)
    .execute();
}
