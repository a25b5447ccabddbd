import type { updateProfile } from '@officium/contract/account';
import { ANONYMOUS_USER_ID, type Locale } from '@officium/contract/common';
import type { InputOf } from '@officium/contract/endpoint';
import { canSeeProfile } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { invalid, notFound } from '#server/errors.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import { changeUser, toName, type UserChanges } from '#server/areas/auth/user.service.ts';
import { isConnectedTo } from './connection.service.ts';
import { isPictureAddress } from './picture.policy.ts';
import { dropUnusedPictures } from './picture.service.ts';
import { findCommunitiesNamed, findCommunitiesOf, getProfile } from './profile.repository.ts';
import { toNameOnly, toProfile, type ProfileAnswer } from './profile.view.ts';

export type ProfileWrite = InputOf<typeof updateProfile>['body'];

/** Strips markup. An empty result becomes null; undefined stays undefined. */
function plain(given: string | null | undefined, options: { multiline?: boolean } = {}): string | null | undefined {
  return typeof given === 'string' ? stripMarkup(given, options) || null : given;
}

/** Columns for the fields that a write names. */
export function toProfileChanges(ctx: Ctx, write: ProfileWrite): UserChanges {
  const { name, location, image } = write;
  const changes: UserChanges = {
    name: name === undefined ? undefined : toName(name),
    job_title: plain(write.jobTitle),
    organization: plain(write.organization),
    onboarding_state: plain(write.onboardingState),
    biography: plain(write.biography, { multiline: true }),
    bio_link: write.bioLink === '' ? null : write.bioLink,
  };
  if (location !== undefined)
    changes.location =
      location &&
      JSON.stringify({ id: stripMarkup(location.id), en: stripMarkup(location.en), code: stripMarkup(location.code) });
  if (image !== undefined) {
    for (const part of ['full', 'thumbnail'] as const)
      if (image && !isPictureAddress(image[part], ctx.config.publicUrl))
        throw invalid(`image.${part}`, 'Must be the address of an uploaded profile image or an https address');
    changes.image_full = image && image.full;
    changes.image_thumbnail = image && image.thumbnail;
  }
  return changes;
}

/** Changes the named fields of the viewer's own profile. */
export async function writeMyProfile(
  ctx: Ctx,
  viewer: UserViewer,
  input: { write: ProfileWrite; locale: Locale },
): Promise<ProfileAnswer> {
  await inTransaction(ctx.db, async (trx) => {
    await changeUser(ctx, trx, viewer.id, toProfileChanges(ctx, input.write));
    if (input.write.image !== undefined) await dropUnusedPictures(ctx, trx, viewer.id);
  });
  return await getProfileFor(ctx, viewer, { id: 'me', locale: input.locale });
}

/** A profile as the viewer may see it. Unknown, erased and unproven accounts all give 404. */
export async function getProfileFor(
  ctx: Ctx,
  viewer: UserViewer,
  input: { id: string; locale: Locale; as?: 'others' | undefined },
): Promise<ProfileAnswer> {
  const userId = input.id === 'me' ? viewer.id : input.id;
  const audience = input.as === 'others' ? asStranger(viewer) : viewer;
  const row = await getProfile(ctx.db, userId);
  if (!row || (!row.is_proven && userId !== viewer.id)) throw notFound();
  const isConnected = row.visibility === 'private' && (await isConnectedTo(ctx, audience, userId));
  if (!canSeeProfile(audience, { userId, visibility: row.visibility }, isConnected)) return toNameOnly(row);
  const communities = await findCommunitiesOf(ctx.db, { userId, viewerId: audience.id });
  const slugs = audience.id === userId ? [] : Object.keys(row.badges['communities'] ?? {}); // owners see all their badges
  const ofBadges = await findCommunitiesNamed(ctx.db, { slugs, viewerId: audience.id });
  return toProfile(row, { communities, ofBadges }, audience, input.locale);
}

/** A signed-in viewer without any special rights. */
function asStranger(viewer: UserViewer): UserViewer {
  return { ...viewer, id: ANONYMOUS_USER_ID, role: 'non-public-servant', permissions: null };
}
