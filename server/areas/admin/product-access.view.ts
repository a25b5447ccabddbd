import type { listProductAccess } from '@officium/contract/product-access';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import { pickText } from '#server/text/localised.ts';
import { effectiveOf } from './product-access.policy.ts';
import type { EntryAccessRow } from '#server/areas/catalogue/product.service.ts';

type ListedEntry = ReplyOf<typeof listProductAccess>['entries'][number];

export function toListedEntry(row: EntryAccessRow, locale: Locale): ListedEntry {
  const permissions = row.can_view && row.can_join ? { can_view: row.can_view, can_join: row.can_join } : null;
  const course = row.course_view && row.course_join ? { can_view: row.course_view, can_join: row.course_join } : null;
  const inForce =
    permissions &&
    effectiveOf({
      own: permissions,
      isSet: row.is_set ?? false,
      course,
      isCourseSet: row.is_course_set,
      isByInvitation: row.is_by_invitation,
      isJoinByInvitation: row.is_join_by_invitation,
    });
  const slug = pickText(row.slugs, locale).text || null;
  return {
    id: row.id,
    contentType: row.content_type as ListedEntry['contentType'], // the query only returns these types
    slug,
    title: pickText(row.titles, locale).text || slug || row.id,
    ...(row.course_titles ? { course: pickText(row.course_titles, locale).text } : {}),
    permissions,
    effective: inForce?.effective ?? null,
    reason: inForce?.reason ?? null,
    isJourney: course !== null,
    updatedAt: row.updated_at?.toISOString() ?? null,
  };
}
