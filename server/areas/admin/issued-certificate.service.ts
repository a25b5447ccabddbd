import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { type listIssuedCertificates, MAX_COUNTED_CERTIFICATES } from '@officium/contract/issued-certificates';
import { openCourseSlugs } from '#server/access/can.ts';
import { placesWith, requireMay } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { invalid } from '#server/errors.ts';
import { countIssued, findIssued, hasIssued, type IssuedRow } from './issued-certificate.repository.ts';

type Reply = ReplyOf<typeof listIssuedCertificates>;

/** A page of the certificates in the places whose reports the viewer may read, newest first. */
export async function listIssued(
  ctx: Ctx,
  viewer: UserViewer,
  { continuationToken, limit, ...filter }: InputOf<typeof listIssuedCertificates>['query'],
): Promise<Reply> {
  const after = continuationToken && numberOf(continuationToken);
  if (continuationToken !== undefined && !(after && (await hasIssued(ctx.db, after))))
    throw invalid('continuationToken', 'The continuation token is not valid');
  if (filter.cohort !== undefined) requireMay(viewer, 'read-reports', { kind: 'cohort', id: filter.cohort });
  const scope = { places: placesWith(viewer, 'read-reports'), open: openCourseSlugs(viewer) };
  const [rows, count] = await Promise.all([
    findIssued(ctx.db, scope, { ...filter, after: after || undefined, limit: limit + 1 }),
    countIssued(ctx.db, scope, { ...filter, atMost: MAX_COUNTED_CERTIFICATES + 1 }),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    certificates: page.map(toIssued),
    counted: Math.min(count, MAX_COUNTED_CERTIFICATES),
    hasMore: count > MAX_COUNTED_CERTIFICATES,
    ...(last && rows.length > limit ? { continuationToken: tokenOf(last.number) } : {}),
  };
}

const tokenOf = (number: string) => Buffer.from(number, 'hex').toString('base64url');

function numberOf(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length === 16 && bytes.toString('base64url') === token ? bytes.toString('hex') : undefined;
}

function toIssued(row: IssuedRow): Reply['certificates'][number] {
  return {
    number: row.number,
    nameOnCertificate: row.name,
    personId: row.person_id,
    organization: row.organization,
    courseSlug: row.course_slug,
    courseTitle: row.course_title,
    journeyTitle: row.journey_title,
    state: row.state,
    issuedAt: row.issued_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revocationReason: row.revocation_reason,
  };
}
