import type { Locale } from '@officium/contract/common';
import type { findPeople, readPerson } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';
import { pickText } from '#server/text/localised.ts';
import type { FoundPersonRow, ListedPersonRow } from './person.repository.ts';

type Found = ReplyOf<typeof findPeople>['people'][number];
type Person = ReplyOf<typeof readPerson>;

export function stateOf({ email_proven_at, role, registration_status }: FoundPersonRow): Found['state'] {
  if (email_proven_at === null) return 'unproven';
  if (role === 'inactive') return 'inactive';
  if (registration_status === 'refused') return 'refused';
  return role === 'non-public-servant' && registration_status === 'pending' ? 'waiting' : 'active';
}

/** `rule`: the value of the rule that matches a waiting person. */
export function toFound(row: FoundPersonRow, rule: string | null): Found {
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? '',
    role: row.role as Found['role'], // guaranteed by the column's check constraint
    state: stateOf(row),
    organization: row.organization,
    secondFactor: row.second_factor,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    rule,
  };
}

export function toPersonForAdministrators(
  row: ListedPersonRow,
  { factors, rule, locale }: { factors: Person['factors']; rule: string | null; locale: Locale },
): Person {
  const { communities, enrolments } = row;
  return {
    ...toFound(row, rule),
    thumbnail: row.image_thumbnail,
    jobTitle: row.job_title,
    locale: row.locale,
    visibility: row.visibility,
    badges: row.badges as Person['badges'], // validated on write
    registration:
      row.registration_status === null
        ? null
        : {
            status: row.registration_status as NonNullable<Person['registration']>['status'], // guaranteed by the column's check constraint
            reason: row.registration_reason,
          },
    factors,
    hasPassword: row.has_password,
    communities: {
      ...communities,
      first: communities.first.map((each) => ({ ...each, title: pickText(each.title, locale).text })),
    },
    cohorts: row.cohorts,
    enrolments: {
      ...enrolments,
      first: enrolments.first.map(({ course, journey, status }) => ({
        course: pickText(course, locale).text,
        journey: pickText(journey, locale).text,
        status,
      })),
    },
    posts: row.posts,
    certificates: row.certificates,
  };
}
