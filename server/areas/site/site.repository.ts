import type { SiteIdentity, SitePageKind } from '@officium/contract/site';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type SiteVersionRow = { version: number; identity: unknown; changed_at: Date };

/** The newest versions, newest first. */
export async function findVersions(db: Db, limit: number): Promise<SiteVersionRow[]> {
  return await db
    .selectFrom('site_versions')
    .select(['version', 'identity', 'changed_at'])
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
}

export async function insertVersion(db: Db, version: number, identity: SiteIdentity): Promise<void> {
  await db
    .insertInto('site_versions')
    .values({ version, identity: JSON.stringify(identity) })
    .execute();
}

export type SitePageRow = {
  locale: string;
  version: number;
  body: string | null;
  body_html: string | null;
  changed_at: Date;
};

/** The newest version of a page in each language. */
export async function findPage(db: Db, kind: SitePageKind): Promise<SitePageRow[]> {
  return await db
    .selectFrom('site_page_versions')
    .distinctOn('locale')
    .select(['locale', 'version', 'body', 'body_html', 'changed_at'])
    .where('kind', '=', kind)
    .orderBy('locale')
    .orderBy('version', 'desc')
    .execute();
}

export type NewPageVersion = {
  kind: SitePageKind;
  locale: string;
  version: number;
  body: string | null;
  html: string | null;
};

/** Adds a version of a page after `version`. False when that is not the newest. */
export async function insertPageVersion(
  db: Db,
  { kind, locale, version, body, html }: NewPageVersion,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('site_page_versions')
    .columns(['kind', 'locale', 'version', 'body', 'body_html'])
    .expression((eb) =>
      db
        .selectNoFrom([
          sql<string>`${kind}::text`.as('kind'),
          sql<string>`${locale}::text`.as('locale'),
          sql<number>`${version + 1}::int`.as('version'),
          sql<string | null>`${body}::text`.as('body'),
          sql<string | null>`${html}::text`.as('body_html'),
        ])
        .where(
          eb
            .selectFrom('site_page_versions')
            .select((of) => of.fn.coalesce(of.fn.max('version'), sql<number>`0`).as('newest'))
            .where('kind', '=', kind)
            .where('locale', '=', locale),
          '=',
          version,
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
