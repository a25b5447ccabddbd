import type { CommunitySettings, updateCommunitySettings as contract } from '@officium/contract/community-settings';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid } from '#server/errors.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { sanitiseRichText } from '#server/text/sanitise.ts';
import { openCommunity, toPageAccess } from './access.service.ts';
import * as repository from './settings.repository.ts';

export async function readSettings(ctx: Ctx, viewer: Viewer, slug: string): Promise<CommunitySettings> {
  return await settingsFor(ctx.db, viewer, slug);
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

/** Replaces the rules and limits, by an owner or an administrator. */
export async function updateSettings(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
  input: InputOf<typeof contract>['body'],
): Promise<CommunitySettings> {
  const access = await openCommunity(ctx.db, viewer, slug);
  if (!access.isTop) throw new AppError('auth.forbidden');
  const { id: communityId } = access.community;
  const { locale, slowModeSeconds, postsPerDay } = input;
  const rules = input.rules.map((rule) => sanitiseRichText(rule).trim());
  const empty = rules.indexOf('');
  if (empty !== -1) throw invalid(`rules.${empty}`, 'Rule must have at least 1 character');
  const rulesHtml = rules.map((rule) => renderMarkdown(rule).html);
  return await inTransaction(ctx.db, async (trx) => {
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
