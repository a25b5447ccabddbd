import type { Locale } from '@officium/contract/common';
import type { findPeople, listPersonSessions, readPerson } from '@officium/contract/admin-people';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction, recordHourly, recordSearch } from '#server/audit/audit.ts';
import { requireRecentSignIn } from '#server/access/recent.ts';
import { endSession, endSessions } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { factorsOf, resetFactors } from '#server/areas/auth/second-factor.service.ts';
import { isSessionOf, sessionsOf } from '#server/areas/auth/session.service.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import { approvingRules } from '#server/areas/people/auto-approval.service.ts';
import { findAccounts, type FoundPersonRow, getPerson } from './person.repository.ts';
import { stateOf, toFound, toPersonForAdministrators } from './person.view.ts';

/** Further words of a query are ignored. */
const MAX_WORDS = 8;

export async function searchAccounts(
  ctx: Ctx,
  viewer: UserViewer,
  { match, ...search }: InputOf<typeof findPeople>['query'],
): Promise<ReplyOf<typeof findPeople>> {
  const words = match.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const { rows, total } = await findAccounts(ctx.db, { words, ...search });
  await recordSearch(ctx.lastingDb, viewer);
  const rules = await rulesForWaiting(ctx.db, rows);
  return { people: rows.map((row) => toFound(row, rules.get(row.email ?? '') ?? null)), total };
}

/** The values of the rules that match waiting people, by address. */
async function rulesForWaiting(db: Db, rows: readonly FoundPersonRow[]): Promise<Map<string, string>> {
  const waiting = rows.filter((row) => stateOf(row) === 'waiting').flatMap(({ email }) => email ?? []);
  return await approvingRules(db, waiting);
}

export async function openPerson(
  ctx: Ctx,
  viewer: UserViewer,
  { id, locale }: { id: string; locale: Locale },
): Promise<ReplyOf<typeof readPerson>> {
  const [row, factors] = await Promise.all([getPerson(ctx.db, id), factorsOf(ctx.db, id)]);
  if (!row) throw notFound();
  if (id !== viewer.id) await recordHourly(ctx.lastingDb, viewer, { action: 'admin.read-person', object: id });
  const rules = await rulesForWaiting(ctx.db, [row]);
  return toPersonForAdministrators(row, { factors, rule: rules.get(row.email ?? '') ?? null, locale });
}

async function requirePerson(db: Db, id: string): Promise<void> {
  if (!(await getUser(db, id))) throw notFound();
}

export async function listSessionsOf(ctx: Ctx, id: string): Promise<ReplyOf<typeof listPersonSessions>> {
  await requirePerson(ctx.db, id);
  const rows = await sessionsOf(ctx.db, id);
  const sessions = rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  }));
  return { sessions, total: sessions.length };
}

/** Ends one session of a user, or all. For the viewer's own account the current session stays. */
export async function endSessionsOf(ctx: Ctx, viewer: UserViewer, id: string, sessionId?: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await requirePerson(trx, id);
    if (sessionId === undefined) await endSessions(trx, id, id === viewer.id ? viewer.sessionId : undefined);
    else if (await isSessionOf(trx, { userId: id, id: sessionId })) await endSession(trx, { userId: id, sessionId });
    else throw notFound();
    await recordAction(trx, viewer, {
      action: 'admin.end-sessions',
      object: id,
      detail: sessionId === undefined ? {} : { session: sessionId },
    });
  });
  ctx.sessions.forget(id);
}

export async function resetFactorsOf(ctx: Ctx, viewer: UserViewer, id: string): Promise<void> {
  if (id === viewer.id) throw new AppError('people.own_rights');
  requireRecentSignIn(viewer);
  await inTransaction(ctx.db, (trx) => resetFactors(ctx, trx, viewer, id));
  ctx.sessions.forget(id);
}
