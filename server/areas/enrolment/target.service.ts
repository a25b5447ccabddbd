import type { Db } from '#server/db/client.ts';
import { AppError, type Issue } from '#server/errors.ts';
import { findTargets } from './enrolment.repository.ts';
import type { EnrolmentPlace } from './enrolment.rows.ts';

/** A place with where in the request it and its cohorts stand. */
export type AskedPlace = { place: EnrolmentPlace; path: string; cohortPath: string };

const below = (path: string, field: string) => (path === '' ? field : `${path}.${field}`);

/** Refuses what names a course, journey, community or cohort that does not exist, with an issue for each. */
export async function requireTargets(db: Db, asked: AskedPlace[]): Promise<void> {
  const found = await findTargets(db, {
    slugs: [...new Set(asked.map(({ place }) => place.slug))],
    cohortIds: [...new Set(asked.flatMap(({ place }) => place.cohortIds))],
  });
  const [courses, journeys] = [new Set(found.courses), new Set(found.journeys)];
  const [communities, cohorts] = [new Set(found.communities), new Set(found.cohorts)];
  const issues = new Map<string, Issue>();
  const refuse = (path: string, message: string) => issues.set(path, { path, message });
  for (const { place, path, cohortPath } of asked) {
    const { journeySlug } = place.metadata;
    if (!(place.type === 'courses' ? courses : communities).has(place.slug))
      refuse(below(path, 'slug'), place.type === 'courses' ? 'Unknown course' : 'Unknown community');
    else if (place.type === 'courses' && journeySlug && !journeys.has(`${place.slug}/${journeySlug}`))
      refuse(below(path, 'enrolmentMetadata.journeySlug'), 'Unknown journey');
    for (const [position, id] of place.cohortIds.entries())
      if (!cohorts.has(id)) refuse(`${cohortPath}.${position}`, 'Unknown cohort');
  }
  if (issues.size > 0) throw new AppError('request.invalid', { issues: [...issues.values()].slice(0, 1000) });
}
