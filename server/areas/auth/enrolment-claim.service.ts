import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import { getUser, type Proven, updateUser } from './user.repository.ts';

const MAX_DETAIL = 200;

/** A text as people may write it into their own profile. */
function plain(given: string | undefined): string | undefined {
  return given && [...stripMarkup(given)].slice(0, MAX_DETAIL).join('');
}

/** Whoever was enrolled by their address gets the places, and the details given with them where they have none. */
export async function claimEnrolments(db: Db, { userId, email }: Proven): Promise<void> {
  const { rows } = await sql<{ defaults: Record<string, string> }>`
    select user_defaults as defaults from bulk_enrolments where email = ${email} and granted_at is null order by id`.execute(
    db,
  );
  if (rows.length === 0) return;
  const defaults = Object.assign({}, ...rows.map((row) => row.defaults)) as Record<string, string>; // maps of strings
  const user = await getUser(db, userId);
  const [jobTitle, organization] = [plain(defaults['jobTitle']), plain(defaults['organization'])];
  if (user && ((jobTitle && !user.job_title) || (organization && !user.organization)))
    await updateUser(db, userId, {
      job_title: user.job_title || jobTitle,
      organization: user.organization || organization,
    });
  // In one order for everybody: places lock communities and cohorts.
  await sql`
    select settle_enrolment(waiting.id) from (
      select id from bulk_enrolments where email = ${email} and granted_at is null order by type, slug, id) waiting`.execute(
    db,
  );
}

/** The places a person was given go with them to a new address, whose own they have by now: claims come before this. */
export async function moveEnrolments(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await sql`
    delete from bulk_enrolments g using bulk_enrolments o
    where g.email = ${from} and g.granted_at is not null and o.email = ${to}
      and (g.type, g.slug, g.journey_slug) = (o.type, o.slug, o.journey_slug)`.execute(db);
  await sql`
    update bulk_enrolments set email = ${to}, updated_at = now() where email = ${from} and granted_at is not null`.execute(
    db,
  );
}
