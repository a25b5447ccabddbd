import type { CommunitySettings, updateCommunitySettings as contract } from '@officium/contract/community-settings';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid } from '#server/errors.ts';
import {
  lockCommunityPage,
  readCommunityPage,
  writeCommunityPage,
} from '#server/areas/authoring/community-page.service.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { isBlank, sanitiseRichText, stripMarkup } from '#server/text/sanitise.ts';
import { openCommunity, toPageAccess } from './access.service.ts';
import * as repository from './settings.repository.ts';

export async function readSettings(
  ctx: Ctx,
  viewer: Viewer,
  slug: string,
  { withPage }: { withPage: boolean },
): Promise<CommunitySettings> {
  const settings = await settingsFor(ctx.db, viewer, slug);
  if (!withPage || !settings.canEdit) return settings;
  return { ...settings, page: await readCommunityPage(ctx.db, await repository.getEntryId(ctx.db, slug)) };
}

async function settingsFor(db: Db, viewer: Viewer, slug: string): Promise<CommunitySettings> {
  const row = await repository.getWithSettings(db, { slug, userId: viewerId(viewer) });
  const { community, isTop } = toPageAccess(viewer, row);
  const settings = row?.settings;
  return {
    locale: settings?.locale ?? community.locale,
    rules: settings?.rules.map((text, index) => ({ text, html: settings.rulesHtml[index] ?? '' })) ?? [],
    slowModeSeconds: settings?.slowModeSeconds ?? 0,
    postsPerDay: settings?.postsPerDay ?? null,
    waitSeconds: { post: settings?.waitPost ?? 0, reply: settings?.waitReply ?? 0 },
    canEdit: isTop,
  };
}

type PageTexts = NonNullable<InputOf<typeof contract>['body']['page']>;

/** The texts of a page without markup and characters that change the direction of other texts, as titles of posts are. */
function plainPage({ title, description, categories }: PageTexts): PageTexts {
  const plain = {
    title: stripMarkup(title),
    description: stripMarkup(description, { multiline: true }),
    categories: [...new Set(categories.map((category) => stripMarkup(category)))],
  };
  if (isBlank(plain.title)) throw invalid('page.title', 'Title must have at least 1 character');
  if (plain.categories.some(isBlank)) throw invalid('page.categories', 'Category must have at least 1 character');
  return plain;
}

/** Returns the id of a community whose settings the viewer may edit. */
async function openToEdit(db: Db, viewer: UserViewer, slug: string): Promise<string> {
  const { isTop, community } = await openCommunity(db, viewer, slug);
  if (!isTop) throw new AppError('auth.forbidden');
  return community.id;
}

/** Replaces the rules and limits, and the texts of the page if given, by an owner or an administrator. */
export async function updateSettings(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
  input: InputOf<typeof contract>['body'],
): Promise<CommunitySettings> {
  await openToEdit(ctx.db, viewer, slug);
  const { locale, slowModeSeconds, postsPerDay } = input;
  const rules = input.rules.map((rule) => sanitiseRichText(rule).trim());
  const empty = rules.indexOf('');
  if (empty !== -1) throw invalid(`rules.${empty}`, 'Rule must have at least 1 character');
  const rulesHtml = rules.map((rule) => renderMarkdown(rule).html);
  const page = input.page && plainPage(input.page);
  return await inTransaction(ctx.db, async (trx) => {
    const key = await repository.getEntryId(trx, slug);
    if (page) await lockCommunityPage(trx, key);
    // Checked again: the viewer may have lost the right, or the community its page, while waiting for the lock.
    const communityId = await openToEdit(trx, viewer, slug);
    if (page) await writeCommunityPage(ctx, trx, viewer, { key, page });
    await repository.putSettings(trx, { communityId, locale, rules, rulesHtml, slowModeSeconds, postsPerDay });
    await recordAction(trx, viewer, {
      action: 'community.update-settings',
      object: communityId,
      detail: { communityId, rules: rules.length, slowModeSeconds, postsPerDay },
    });
    return await settingsFor(trx, viewer, slug);
  });
}

/** A rule by its number; 400 when the community has none of this number. */
export async function ruleOf(db: Db, communityId: string, number: number): Promise<string> {
  const html = await repository.getRule(db, communityId, number);
  if (html === undefined) throw invalid('rule', 'This community has no rule of this number');
  return html;
}
