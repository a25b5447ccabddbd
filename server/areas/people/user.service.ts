import type { setBadges, updateUser } from '@officium/contract/people';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { isAdministrator, isUser, type ServiceViewer, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import type { PersonRow } from '#server/areas/account/person.view.ts';
import { isPictureAddress } from '#server/areas/account/picture.policy.ts';
import { dropUnusedPictures } from '#server/areas/account/picture.service.ts';
import { toProfileChanges } from '#server/areas/account/profile.service.ts';
import { changeUser, eraseFor, type UserChanges, type UserRow } from '#server/areas/auth/user.service.ts';
import { idOf, openUser } from './user-access.service.ts';
import { countMatching, findMatching, type PeopleSearch } from './user.repository.ts';

type UserWrite = InputOf<typeof updateUser>['body'];
type Badges = InputOf<typeof setBadges>['body']['badges'];

const READ_ONLY = ['email', 'role', 'approved', 'permissions', 'visibility'] as const;

/** Picture columns for a write. The large picture is kept while the thumbnail is unchanged. */
function toPicture(ctx: Ctx, given: UserWrite['thumbnail'], user: UserRow): UserChanges {
  const thumbnail = given || null;
  if (thumbnail !== null && !isPictureAddress(thumbnail, ctx.config.publicUrl))
    throw invalid('thumbnail', 'Must be the address of an uploaded profile image or an https address');
  const isKept = thumbnail !== null && thumbnail === user.image_thumbnail;
  return { image_thumbnail: thumbnail, image_full: isKept ? user.image_full : null };
}

/** Replaces an account's profile. Only another administrator may set badges. */
export async function replacePerson(
  ctx: Ctx,
  viewer: UserViewer,
  { ref, write, requestId }: { ref: string; write: UserWrite; requestId: string },
): Promise<void> {
  const user = await openUser(ctx, viewer, ref);
  const isOwn = user.id === viewer.id;
  const forbidden = READ_ONLY.find((field) => write[field] !== undefined);
  if (forbidden) throw new AppError('auth.forbidden', { message: `${forbidden} is not changed here.` });
  if (write.badges && !isAdministrator(viewer)) throw new AppError('auth.forbidden');
  if (write.badges && isOwn) throw new AppError('people.own_rights');
  const { name, jobTitle = null, organization = null, location = null } = write;
  const changes = {
    ...toProfileChanges(ctx, { name, jobTitle, organization, location }),
    ...toPicture(ctx, write.thumbnail, user),
    ...(write.badges ? { badges: JSON.stringify(write.badges) } : {}),
  };
  await inTransaction(ctx.db, async (trx) => {
    if (!(await changeUser(ctx, trx, user.id, changes))) throw notFound();
    await dropUnusedPictures(ctx, trx, user.id);
    if (!isOwn)
      await recordAction(trx, viewer, {
        action: 'people.update-user',
        object: user.id,
        detail: { badges: write.badges !== undefined },
        requestId,
      });
  });
}

/** Replaces a user's badges. */
export async function replaceBadges(
  ctx: Ctx,
  viewer: UserViewer | ServiceViewer,
  { ref, badges, requestId }: { ref: string; badges: Badges; requestId: string },
): Promise<void> {
  if (ref === 'me' && !isUser(viewer)) throw invalid('id', 'A service has no account: name the user by id');
  const id = isUser(viewer) ? idOf(viewer, ref) : ref;
  if (isUser(viewer) && id === viewer.id) throw new AppError('people.own_rights');
  await inTransaction(ctx.db, async (trx) => {
    if (!(await changeUser(ctx, trx, id, { badges: JSON.stringify(badges) }))) throw notFound();
    await recordAction(trx, viewer, { action: 'people.set-badges', object: id, requestId });
  });
}

/** Erases an account: the viewer's own, or any for an administrator. */
export async function erase(
  ctx: Ctx,
  viewer: UserViewer,
  { ref, requestId }: { ref: string; requestId: string },
): Promise<{ isOwn: boolean }> {
  const { id } = await openUser(ctx, viewer, ref);
  await eraseFor(ctx, viewer, { userId: id, requestId });
  return { isOwn: id === viewer.id };
}

/** Further words of a query are ignored. */
const MAX_WORDS = 8;

type Asked = { match: string; limit: number; offset: number };

function searchOf(viewer: UserViewer, { match, ...page }: Asked): PeopleSearch {
  const words = match.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return { words, viewerId: viewer.id, seesAll: isAdministrator(viewer), ...page };
}

/** People whose profile contains the words, among those the viewer may find. */
export async function findPeople(ctx: Ctx, viewer: UserViewer, asked: Asked): Promise<PersonRow[]> {
  return await findMatching(ctx.db, searchOf(viewer, asked));
}

/** The same, and how many there are. */
export async function search(
  ctx: Ctx,
  viewer: UserViewer,
  asked: Asked,
): Promise<{ rows: PersonRow[]; total: number }> {
  const people = searchOf(viewer, asked);
  const [rows, total] = await Promise.all([findMatching(ctx.db, people), countMatching(ctx.db, people)]);
  return { rows, total };
}
