import { SITE_NAME_DIFFERS, type DemoContent, type DemoState } from '@officium/contract/demo-content';
import { DEFAULT_LOCALE, type Locale } from '@officium/contract/common';
import type { SitePageKind } from '@officium/contract/site';
import { requireRecentSignIn } from '../access/recent.ts';
import type { UserViewer } from '../access/viewer.ts';
import { deleteArticle } from '../areas/articles/article.service.ts';
import { eraseUser, isLastAdministrator, lockUser } from '../areas/auth/user.service.ts';
import { openPiece } from '../areas/authoring/piece-open.service.ts';
import { withdrawPiece } from '../areas/authoring/publication.service.ts';
import { hideShares, showShares } from '../areas/community/posts/share.service.ts';
import { deleteRule, findRulesOfValues } from '../areas/people/auto-approval.repository.ts';
import { type DemoContentRow, getDemo, markRemoved, markRemoving } from '../areas/site/demo-content.repository.ts';
import { noteDemoStep } from '../areas/site/setup.service.ts';
import { updatePage } from '../areas/site/site.service.ts';
import { recordAction } from '../audit/audit.ts';
import type { Ctx } from '../ctx.ts';
import { type Db, inTransaction, newId } from '../db/client.ts';
import { invalid, notFound } from '../errors.ts';
import { defineJob } from '../jobs/define.ts';
import { DEMO_RULE, lockDemo } from './accounts.ts';
import * as holdings from './holdings.ts';

function stateOf(row: DemoContentRow | undefined): DemoState {
  if (!row) return 'none';
  if (row.removed_at) return 'removed';
  return row.removal_asked_at ? 'removing' : 'present';
}

const NOTHING = { pieces: [], sitePages: 0, accounts: 0, keepsOwn: false, learners: 0, members: 0 };

/** Reads the rest of the demo and counts its other users. An installation may have content of its own at the same addresses. */
export async function readDemo(db: Db, viewer: UserViewer): Promise<DemoContent> {
  const state = stateOf(await getDemo(db));
  return { state, ...(state === 'none' ? NOTHING : await holdings.countHoldings(db, viewer.id)) };
}

/** Keeps later starts from loading the demo, and leaves its removal to a job. */
export async function removeDemo(
  ctx: Ctx,
  viewer: UserViewer,
  { name, requestId }: { name: string; requestId: string },
): Promise<DemoContent> {
  requireRecentSignIn(viewer);
  return await inTransaction(ctx.db, async (trx) => {
    await lockDemo(trx); // a start that is loading it finishes first
    const { state, ...before } = await readDemo(trx, viewer);
    if (state === 'none') throw notFound();
    if (name.trim() !== ctx.site.current().name.trim()) throw invalid('name', SITE_NAME_DIFFERS);
    await markRemoving(trx);
    await noteDemoStep(trx);
    await ctx.jobs.enqueue(trx, removeDemoJob, { userId: viewer.id }, { singletonKey: viewer.id });
    await recordAction(trx, viewer, {
      action: 'admin.remove-demo',
      object: 'demo',
      detail: { people: before.accounts },
      requestId,
    });
    return await readDemo(trx, viewer);
  });
}

type Acting = Pick<UserViewer, 'id' | 'role'> & { name?: string; email?: string; locale?: Locale };

/** A viewer for services that act for a person outside a request. */
function viewerOf({ id, role, name = '', email = '', locale = DEFAULT_LOCALE }: Acting): UserViewer {
  return {
    kind: 'user',
    id,
    role,
    name,
    email,
    locale,
    localeChosen: true,
    thumbnail: null,
    limited: false,
    permissions: null,
    sessionId: newId(),
    recentUntilMs: 0,
    hasSecondFactor: false,
  };
}

/** The administrator who asked, or another one if they are none any more. */
async function findActor(db: Db, userId: string): Promise<UserViewer> {
  const { id, name } = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('role', '=', 'administrator')
    .where('erased_at', 'is', null)
    .where('email_proven_at', 'is not', null)
    .orderBy((eb) => eb('id', '=', userId), 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return viewerOf({ id, name: name ?? '', role: 'administrator' });
}

async function withdrawPieces(ctx: Ctx, actor: UserViewer): Promise<void> {
  for (const piece of await holdings.findShownPieces(ctx.db)) {
    const { version } = await openPiece(ctx.db, piece);
    await withdrawPiece(ctx, actor, piece, { version });
  }
}

const CARDS = { hide: hideShares, show: showShares };

/** Deletes the articles for their authors, so that moderation keeps no record of them. */
async function deleteArticles(ctx: Ctx): Promise<void> {
  for (const { slug, authorId } of await holdings.findShownArticles(ctx.db))
    await deleteArticle(ctx, viewerOf({ id: authorId, role: 'public-servant' }), { slug, cards: CARDS });
}

/** Erases the accounts, one transaction each, but not who asked, nor the last administrator. */
async function eraseAccounts(ctx: Ctx, actor: UserViewer, userId: string): Promise<void> {
  for (const id of await holdings.findAccounts(ctx.db)) {
    if (id === userId || id === actor.id) continue;
    await inTransaction(ctx.db, async (trx) => {
      const user = await lockUser(trx, id);
      if (!user || (await isLastAdministrator(trx, user)) || !(await eraseUser(ctx, trx, id))) return;
      await recordAction(trx, actor, { action: 'auth.delete-account', object: id });
    });
  }
}

async function removeRule(db: Db): Promise<void> {
  const rules = await findRulesOfValues(db, [DEMO_RULE.value]);
  for (const { id, type } of rules) if (type === DEMO_RULE.type) await deleteRule(db, id);
}

async function takeBackPages(ctx: Ctx, actor: UserViewer): Promise<void> {
  for (const { kind, locale } of await holdings.findUnchangedPages(ctx.db)) {
    const page = { kind: kind as SitePageKind, locale: locale as Locale }; // the demo names only these
    await updatePage(ctx, actor, page, { version: 1, body: '' });
  }
}

/** Each step finds what is left, so a killed worker's job continues and a second one changes nothing. */
export const removeDemoJob = defineJob<{ userId: string }>(
  'demo.remove-content',
  { retryLimit: 40, retryDelayMaxSeconds: 60, inTurn: true },
  async (ctx, { userId }) => {
    const actor = await findActor(ctx.db, userId);
    await withdrawPieces(ctx, actor);
    await deleteArticles(ctx);
    await eraseAccounts(ctx, actor, userId);
    await removeRule(ctx.db);
    await takeBackPages(ctx, actor);
    await markRemoved(ctx.db);
  },
);
