import type { listCohortProgress, readCohortProgress } from '@officium/contract/cohorts';
import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { requireMay } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { pickText } from '#server/text/localised.ts';
import { noteAddressesRead, requireCohort } from './cohort.service.ts';
import { countMembers } from './member.repository.ts';
import { countJourney, findJourneys, findLearners } from './progress.repository.ts';

export async function readProgress(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  locale: Locale,
): Promise<ReplyOf<typeof readCohortProgress>> {
  requireMay(viewer, 'read-reports', { kind: 'cohort', id: cohortId });
  await requireCohort(ctx.db, cohortId);
  const [members, rows] = await Promise.all([countMembers(ctx.db, cohortId), findJourneys(ctx.db, cohortId)]);
  const journeys = [];
  // Sequential, so that a cohort with many journeys does not take all connections.
  for (const row of rows) {
    const { started, finished } = await countJourney(ctx.db, cohortId, row.key);
    journeys.push({
      id: row.key,
      entryId: row.entry_id,
      title: pickText(row.title, locale).text,
      course: pickText(row.course_title, locale).text,
      dueOn: row.due_on,
      notStarted: Math.max(0, members - started - finished),
      started,
      finished,
      late: row.is_over ? Math.max(0, members - finished) : 0,
    });
  }
  return { members, journeys };
}

export async function listProgress(
  ctx: Ctx,
  viewer: UserViewer,
  { cohortId, journeyId }: { cohortId: string; journeyId: string },
  { state, organization, after, limit }: InputOf<typeof listCohortProgress>['query'],
): Promise<ReplyOf<typeof listCohortProgress>> {
  requireMay(viewer, 'read-reports', { kind: 'cohort', id: cohortId });
  const [journey] = await findJourneys(ctx.db, cohortId, journeyId);
  if (!journey) throw notFound();
  if (state === 'late' && !journey.is_over) return { people: [], hasMore: false };
  const query = { cohortId, journeyKey: journeyId, state, organization, after, limit: limit + 1 };
  const rows = await findLearners(ctx.db, query);
  await noteAddressesRead(ctx, viewer, cohortId);
  return {
    hasMore: rows.length > limit,
    people: rows.slice(0, limit).map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      organization: row.organization,
      state: row.completed_at ? 'finished' : row.started_at ? 'started' : 'not-started',
      isLate: journey.is_over && row.completed_at === null,
      startedAt: row.started_at?.toISOString() ?? null,
      finishedAt: row.completed_at?.toISOString() ?? null,
      remindedAt: row.reminded_at?.toISOString() ?? null,
    })),
  };
}
