import type { SiteIdentity, SitePageKind } from '@officium/contract/site';
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

/** Adds a version of a page. A version that exists stays as it is. */
export async function insertPageVersion(db: Db, { html, ...page }: NewPageVersion): Promise<void> {
  await db
    .insertInto('site_page_versions')
    .values({ ...page, body_html: html })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
