import type { Locale } from '@officium/contract/common';
import { isShutOut } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { getProfileFor } from '#server/areas/account/profile.service.ts';
import { findMemberships, type UserMembershipRow } from './membership.repository.ts';
import { idOf, mayOpen, openUser } from './user-access.service.ts';

type Asked = { ref: string; locale: Locale };

/** The communities a person's profile shows the actor, their titles in a language. */
export async function listCommunities(
  ctx: Ctx,
  actor: UserViewer,
  { ref, locale }: Asked,
): Promise<{ slug: string; title: string; role: 'owner' | 'member' }[]> {
  return (await getProfileFor(ctx, actor, { id: ref, locale })).communities;
}

/** The memberships of a person: all of one's own and for administrators, for others those the profile shows. */
export async function listMemberships(ctx: Ctx, actor: UserViewer, asked: Asked): Promise<UserMembershipRow[]> {
  if (mayOpen(actor, asked.ref)) {
    const all = await findMemberships(ctx.db, (await openUser(ctx, actor, asked.ref)).id);
    return all.filter(({ slug }) => !isShutOut(actor, slug));
  }
  const shown = new Set((await listCommunities(ctx, actor, asked)).map(({ slug }) => slug));
  const rows = await findMemberships(ctx.db, idOf(actor, asked.ref));
  return rows
    .filter(({ slug, status }) => status === 'active' && shown.has(slug))
    .map((row) => ({ ...row, metadata: {} }));
}
