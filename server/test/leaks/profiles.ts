import { updateProfile } from '@officium/contract/account';
import { deleteAccount, setNickname } from '@officium/contract/auth';
import { createActivity, createActivityReaction } from '@officium/contract/community';
import { createArticle } from '@officium/contract/content';
import { referColleague } from '@officium/contract/enrolment';
import { sql } from 'kysely';
import { makePerson } from '../factories/accounts.ts';
import { makeMember, type TestCommunity } from '../factories/communities.ts';
import {
  ACCOUNTS,
  type Caller,
  marked,
  type Names,
  NOBODY,
  OWN,
  OWN_PRIVATE,
  type Planting,
  PRIVATE,
} from './planting.ts';

/** Profile fields with planted texts; `kind` is the owner of the profile. */
function profileOf({ plant }: Planting, kind: string, seenBy: readonly Caller[]) {
  const picture = plant(`${kind} picture`, seenBy);
  return {
    jobTitle: plant(`${kind} job title`, seenBy),
    organization: plant(`${kind} organization`, seenBy),
    biography: plant(`${kind} biography`, seenBy),
    location: {
      id: plant(`${kind} place id`, seenBy),
      en: plant(`${kind} place`, seenBy),
      code: plant(`${kind} code`, seenBy),
    },
    image: { full: `https://${picture}.example/full`, thumbnail: `https://${picture}.example/small` },
  };
}

/** The victim's profile is private, the owner's is visible to signed-in callers. */
export async function plantProfiles(planting: Planting): Promise<Names> {
  const { test, people, secrets, plant, call } = planting;
  const { victim, owner } = people;
  secrets.push({ what: 'address', text: victim.email, seenBy: OWN_PRIVATE, unlessNamed: [] });
  await call(updateProfile, victim.as, {
    body: { ...profileOf(planting, 'private', OWN_PRIVATE), onboardingState: plant('onboarding', OWN) },
  });
  await call(setNickname, victim.as, { body: { nickname: plant('nickname', NOBODY) } });
  await test.ctx.db
    .updateTable('users')
    .set({
      bio_link: `https://${plant('link', OWN_PRIVATE)}.example`,
      member_type: plant('member type', OWN_PRIVATE),
      registration_reason: plant('reason', OWN_PRIVATE),
      // It may contain the slug of a course.
      sign_up: JSON.stringify({
        page: plant('sign-up page', PRIVATE),
        ref: plant('sign-up ref', PRIVATE),
        courseSlug: plant('sign-up course', PRIVATE),
      }),
      badges: JSON.stringify({ platform: { [plant('badge', OWN_PRIVATE)]: ['one'] } }),
    })
    .where('id', '=', victim.id)
    .execute();
  await call(updateProfile, owner.as, { body: profileOf(planting, 'usual', ACCOUNTS) });
  return {
    'accounts/id': ['me', victim.id, owner.id],
    'profiles/id': [victim.id, owner.id],
    'people/id': [victim.id],
    'users/email': ['nobody@example.org'],
    'users/id': ['me', victim.id],
    'users/userId': ['me', victim.id],
  };
}

/** A person who wrote everywhere and was erased. */
export async function plantErased(planting: Planting, community: TestCommunity): Promise<Names> {
  const { test, people, plant, call, homes } = planting;
  const gone = await makePerson(test, {
    name: plant('erased name', NOBODY),
    email: `${plant('erased address', NOBODY)}@example.gov`,
  });
  await call(updateProfile, gone.as, { body: profileOf(planting, 'erased', NOBODY) });
  await makeMember(test.ctx.db, community, gone);
  const { id } = await call(createActivity, gone.as, {
    params: { slug: community.slug },
    body: { body: 'I was here' },
  });
  homes.set(id, [community.slug]);
  await call(createActivityReaction, people.owner.as, {
    params: { slug: community.slug, id },
    body: { kind: 'reply', body: `Thanks, {{${gone.id}}}` },
  });
  await call(createArticle, gone.as, {
    body: { title: 'What I leave here', subtitle: 'For those who come', body: 'Ten characters and more.' },
  });
  await call(referColleague, people.victim.as, {
    body: { email: `${marked('erased address')}@example.gov`, type: 'microcourses', slug: 'open' },
  });
  await sql`
    insert into connections (id, low_id, high_id, asker_id, status)
    values (gen_random_uuid(), least(${gone.id}::uuid, ${people.member.id}), greatest(${gone.id}::uuid, ${people.member.id}),
      ${gone.id}, 'accepted')`.execute(test.ctx.db);
  await call(deleteAccount, gone.as, { params: { email: gone.email } });
  return { 'activities/id': [id], 'accounts/id': [gone.id], 'profiles/id': [gone.id], 'users/id': [gone.id] };
}
