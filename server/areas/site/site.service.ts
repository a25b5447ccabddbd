import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import * as contract from '@officium/contract/site';
import * as office from '@officium/contract/site-settings';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { lockName } from '#server/db/advisory-lock.ts';
import { announce } from '#server/db/announce.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { MAX_DEPTH, MAX_SOURCE_BYTES } from '#server/text/allow-list.ts';
import { nestingDepth } from '#server/text/markdown.ts';
import { renderPage } from '#server/text/page.ts';
import { sanitiseRichText } from '#server/text/sanitise.ts';
import * as repository from './site.repository.ts';
import { changedNames } from './changed.policy.ts';
import { toPage, toPageText, toSettings } from './site.view.ts';

export async function readSettings(ctx: Ctx, db: Db = ctx.db): Promise<office.SiteSettings> {
  return toSettings(await repository.findVersions(db, office.SITE_HISTORY), ctx.config);
}

/** A logo or a picture of certificates is a stored file, uploaded before. */
async function requireStored({ files }: Ctx, { logo, logoDark, certificate }: contract.SiteIdentity): Promise<void> {
  for (const [name, picture] of Object.entries({ logo, logoDark, ...certificate.pictures }))
    if (picture && !(await files.exists(`content-assets/${picture.key}`, storageTimeout())))
      throw invalid(
        name in certificate.pictures ? `identity.certificate.pictures.${name}` : `identity.${name}`,
        'There is no such logo',
      );
}

/** Changes the settings, one caller after the other. `changeOf` gets those in force and returns the new ones. */
export async function changeSettings(
  ctx: Ctx,
  viewer: UserViewer,
  changeOf: (before: office.SiteSettings) => contract.SiteIdentity,
): Promise<office.SiteSettings> {
  const settings = await inTransaction(ctx.db, async (trx) => {
    await lockName(trx, 'site settings');
    const before = await readSettings(ctx, trx);
    const identity = changeOf(before);
    const fields = changedNames(before.identity, identity);
    if (fields.length === 0) return before;
    const version = before.version + 1;
    await repository.insertVersion(trx, version, identity);
    await recordAction(trx, viewer, { action: 'admin.update-site', object: String(version), detail: { fields } });
    await announce(trx, 'officium_site', '');
    return await readSettings(ctx, trx);
  });
  // Other processes hear of it; this one shows the change with its reply.
  await ctx.site.refresh();
  return settings;
}

export async function updateSettings(
  ctx: Ctx,
  viewer: UserViewer,
  { version, identity }: InputOf<typeof office.updateSiteSettings>['body'],
): Promise<office.SiteSettings> {
  await requireStored(ctx, identity);
  return await changeSettings(ctx, viewer, (before) => {
    if (before.version !== version) throw new AppError('site.changed_meanwhile');
    return identity;
  });
}

export async function readPageTexts(
  ctx: Ctx,
  kind: contract.SitePageKind,
): Promise<ReplyOf<typeof office.readSitePageTexts>> {
  return { kind, texts: (await repository.findPage(ctx.db, kind)).map(toPageText) };
}

/** The text as it is stored, and as pages show it; null for none. */
function writePage(source: string): { body: string; html: string } | null {
  const body = sanitiseRichText(source).trim();
  if (body === '') return null;
  if (Buffer.byteLength(body) > MAX_SOURCE_BYTES)
    throw invalid('body', `Text must have at most ${MAX_SOURCE_BYTES} bytes`);
  if (nestingDepth(body) > MAX_DEPTH) throw invalid('body', 'Nested too deeply');
  const { html } = renderPage(body, {});
  return { body, html };
}

export async function updatePage(
  ctx: Ctx,
  viewer: UserViewer,
  { kind, locale }: { kind: contract.SitePageKind; locale: Locale },
  { version, body }: InputOf<typeof office.updateSitePage>['body'],
): Promise<office.SitePageText> {
  const written = writePage(body);
  const text = await inTransaction(ctx.db, async (trx) => {
    await lockName(trx, 'site pages');
    const newest = async () => (await repository.findPage(trx, kind)).find((row) => row.locale === locale);
    const before = await newest();
    if ((before?.version ?? 0) !== version) throw new AppError('site.changed_meanwhile');
    if (before && before.body === (written?.body ?? null)) return toPageText(before);
    const page = { kind, locale, version: version + 1, body: written?.body ?? null, html: written?.html ?? null };
    await repository.insertPageVersion(trx, page);
    await recordAction(trx, viewer, { action: 'admin.update-site-page', object: kind, detail: { language: locale } });
    await announce(trx, 'officium_site', '');
    const after = await newest();
    if (!after) throw notFound();
    return toPageText(after);
  });
  // Other processes hear of it; this one shows the change with its reply.
  await ctx.site.refresh();
  return text;
}

export async function readPage(
  ctx: Ctx,
  kind: contract.SitePageKind,
  locale: Locale,
): Promise<ReplyOf<typeof contract.readSitePage>> {
  const page = toPage(await repository.findPage(ctx.db, kind), locale);
  if (!page) throw notFound();
  return { kind, locale: page.locale, bodyHtml: page.html, changedAt: page.changedAt.toISOString() };
}
