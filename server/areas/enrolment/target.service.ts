import type { Db } from '#server/db/client.ts';
import { AppError, type Issue } from '#server/errors.ts';
import { findTargets } from './enrolment.repository.ts';
import type { EnrolmentRequest } from './enrolment.rows.ts';

/** An enrolment request with the paths of its fields in the body, for issues. */
export type LocatedRequest = { request: EnrolmentRequest; path: string; cohortPath: string };

const below = (path: string, field: string) => (path === '' ? field : `${path}.${field}`);

/** Throws 400 with an issue for each course, journey, community and cohort that does not exist. */
export async function requireTargets(db: Db, requests: LocatedRequest[]): Promise<void> {
  const found = await findTargets(db, {
    slugs: [...new Set(requests.map(({ request }) => request.slug))],
    cohortIds: [...new Set(requests.flatMap(({ request }) => request.cohortIds))],
  });
  const [courses, journeys] = [new Set(found.courses), new Set(found.journeys)];
  const [communities, cohorts] = [new Set(found.communities), new Set(found.cohorts)];
  const issues = new Map<string, Issue>();
  const refuse = (path: string, message: string) => issues.set(path, { path, message });
  for (const { request, path, cohortPath } of requests) {
    const { type, slug, metadata, cohortIds } = request;
    if (!(type === 'courses' ? courses : communities).has(slug))
      refuse(below(path, 'slug'), type === 'courses' ? 'Unknown course' : 'Unknown community');
    else if (type === 'courses' && metadata.journeySlug && !journeys.has(`${slug}/${metadata.journeySlug}`))
      refuse(below(path, 'enrolmentMetadata.journeySlug'), 'Unknown journey');
    for (const [position, id] of cohortIds.entries())
      if (!cohorts.has(id)) refuse(`${cohortPath}.${position}`, 'Unknown cohort');
  }
  if (issues.size > 0) throw new AppError('request.invalid', { issues: [...issues.values()].slice(0, 1000) });
}
