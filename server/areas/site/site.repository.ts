import type { SiteIdentity, SitePageKind } from '@officium/contract/site';
import type { Db } from '#server/db/client.ts';

export type SiteVersionRow = {
  version: number;
  identity: unknown;
  changed_at: Date;
  actorName: string | null;
  isActorDeleted: boolean;
};

/** The newest versions, newest first. */
export async function findVersions(db: Db, limit: number): Promise<SiteVersionRow[]> {
  return await db
    .selectFrom('site_versions as v')
    // Only administrators change the settings, so the actor is always a user.
    .leftJoin('audit_log as l', (join) =>
      join
        .on('l.action', '=', 'admin.update-site')
        .on((eb) => eb('l.object', '=', eb.cast<string>('v.version', 'text'))),
    )
    .leftJoin('users as u', (join) => join.on((eb) => eb('u.id', '=', eb.cast<string>('l.actor', 'uuid'))))
    .distinctOn('v.version')
    .select(['v.version', 'v.identity', 'v.changed_at', 'u.name as actorName'])
    .select((eb) => eb('u.erased_at', 'is not', null).$castTo<boolean>().as('isActorDeleted'))
    .orderBy('v.version', 'desc')
    .orderBy('l.id', 'desc')
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
