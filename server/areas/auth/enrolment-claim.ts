import { sql } from 'kysely';
import type { Claim } from './claims.ts';
import { getUser, updateUser } from './user.repository.ts';

/** Whoever was enrolled by their address gets the places, and the details given with them where they have none. */
export const claimEnrolments: Claim = async (_ctx, db, { userId, email }) => {
  const { rows } = await sql<{ defaults: Record<string, string> }>`
    select user_defaults as defaults from bulk_enrolments where email = ${email} and granted_at is null order by id`.execute(
    db,
  );
  if (rows.length === 0) return;
  const defaults = Object.assign({}, ...rows.map((row) => row.defaults)) as Record<string, string>; // maps of strings
  const user = await getUser(db, userId);
  const { jobTitle, organization } = defaults;
  if (user && ((jobTitle && !user.job_title) || (organization && !user.organization)))
    await updateUser(db, userId, {
      job_title: user.job_title || jobTitle?.slice(0, 200),
      organization: user.organization || organization?.slice(0, 200),
    });
  // In one order for everybody: places lock communities and cohorts.
  await sql`
    select settle_enrolment(waiting.id) from (
      select id from bulk_enrolments where email = ${email} and granted_at is null order by type, slug, id) waiting`.execute(
    db,
  );
};
