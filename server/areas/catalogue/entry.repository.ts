import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { CommunityPrivacy, CourseFacts, Membership, Scope, SetScopes } from '#server/access/can.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { JourneyHold } from './catalogue.policy.ts';
import { scopesOfJourney } from './catalogue.repository.ts';

export type EntryKind = 'course' | 'academy' | 'microcourse' | 'journey' | 'community';

export type SlugRow = { slug: Partial<Record<Locale, string>>; fallbacks: Partial<Record<Locale, Locale | null>> };

/** The slugs of a published entry, and what of the catalogue it stands for; null when it is a plain entry. */
export async function getEntry(db: Db, id: string): Promise<(SlugRow & { kind: EntryKind | null }) | undefined> {
  const { rows } = await sql<SlugRow & { kind: EntryKind | null }>`
    select slug, fallbacks, (
      select 'course' from courses where id = x.id
      union all select 'academy' from academies where id = x.id
      union all select 'microcourse' from microcourses where id = x.id
      union all select 'journey' from journeys where entry_id = x.id
      union all select 'community' from communities where entry_id = x.id limit 1) as kind
    from entries x where id = ${id} and status = 'published'`.execute(db);
  return rows[0];
}

export type EntryCommunityRow = {
  slug: string;
  privacy: CommunityPrivacy;
  canView: Scope;
  canJoin: Scope;
  isGranted: boolean;
  membership: Membership;
};

/** The communities of these slugs or entries, and what a person is in them. */
export async function findEntryCommunities(
  db: Db,
  { by, values, userId }: { by: 'slug' | 'entry_id'; values: string[]; userId: string },
): Promise<EntryCommunityRow[]> {
  const { rows } = await sql<EntryCommunityRow>`
    select c.slug, c.privacy, coalesce(p.can_view, 'private') as "canView", coalesce(p.can_join, 'private') as "canJoin",
      is_granted(${userId}, c.entry_id) as "isGranted",
      case when m.user_id is not null then jsonb_build_object('role', m.role, 'level', m.level, 'status', m.status) end as membership
    from communities c join entries x on x.id = c.entry_id and x.status = 'published'
    left join products p on p.entry_id = c.entry_id
    left join community_members m
      on m.community_id = c.id and m.user_id = ${userId} and (m.expires_on <= now()) is not true
    where ${sql.ref(`c.${by}`)} = any(${values}::text[])`.execute(db);
  return rows;
}

export type EntryJourneyRow = {
  course: CourseFacts & SetScopes;
  journeys: (JourneyHold & { entryId: string | null })[];
};

/** The course of a journey's entry, with what the person holds of all its journeys. */
export async function getEntryJourney(
  db: Db,
  { entryId, userId }: { entryId: string; userId: string },
): Promise<EntryJourneyRow | undefined> {
  const { rows } = await sql<EntryJourneyRow>`
    select jsonb_build_object('slug', c.slug, 'type', c.type, 'canView', coalesce(p.can_view, 'private'),
        'canJoin', coalesce(p.can_join, 'private'), 'isSet', coalesce(p.is_set, false)) as course,
      (select jsonb_agg(jsonb_build_object('entryId', o.entry_id, 'privacy', o.privacy, 'scopes', ${scopesOfJourney},
          'granted', is_granted(${userId}, c.id) or coalesce(is_granted(${userId}, o.entry_id), false),
          'enrolled', coalesce(enrolment_status(e.status, e.expires_on) = 'enrolled', false)))
        from journeys o
        left join entries y on y.id = o.entry_id
        left join products q on q.entry_id = o.entry_id
        left join journey_enrolments e on e.journey_key = o.key and e.user_id = ${userId}
        where o.course_id = c.id and o.withdrawn_at is null and coalesce(y.status = 'published', true)) as journeys
    from journeys j
    join courses c on c.id = j.course_id
    join entries x on x.id = c.id and x.status = 'published'
    left join products p on p.entry_id = c.id
    where j.entry_id = ${entryId} and j.withdrawn_at is null`.execute(db);
  return rows[0];
}

export type PublishedEntry = {
  id: string;
  contentType: string | undefined;
  version: number | undefined;
  slug: { slugs: Record<string, string>; isWhole: boolean } | undefined;
  fields: Record<string, unknown> | undefined;
};

/** One event of an entry at a time, so that a withdrawal and a publication of one not seen yet find each other. */
export async function lockEvents(db: Db, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`content entry ${id}`}, 0))`.execute(db);
}

/**
 * Stores a published entry, unless what is stored is as new, or it was withdrawn as late before it was seen, of which
 * only the event is kept. What the event does not say stays.
 */
export async function putPublished(db: Db, entry: PublishedEntry): Promise<boolean> {
  const { id, contentType, slug, fields } = entry;
  const version = sql`${entry.version ?? null}::bigint`;
  const slugs = slug && JSON.stringify(slug.slugs);
  const nextSlug =
    slug === undefined ? sql`e.slug` : slug.isWhole ? sql`${slugs}::jsonb` : sql`e.slug || ${slugs}::jsonb`;
  const nextFields = fields === undefined ? sql`e.fields` : sql`${JSON.stringify(fields)}::jsonb`;
  // An entry never changes its type; one that an event without a type made known gets it later.
  const nextType = sql`coalesce(nullif(e.content_type, 'unknown'), ${contentType ?? 'unknown'})`;
  const { numAffectedRows = 0n } = await sql`
    insert into entries as e (id, content_type, status, version, source, slug, fields)
    select ${id}, ${contentType ?? 'unknown'}, 'published', coalesce(${version}, w.version, 0), 'webhook',
      ${slugs ?? '{}'}::jsonb, ${JSON.stringify(fields ?? {})}::jsonb
    from (select max(version) as version from content_events where entry_id = ${id} and reason = 'absent') w
    where ${version} is null or w.version is null or ${version} > w.version or w.version = 0
    on conflict (id) do update set status = 'published', version = coalesce(${version}, e.version), slug = ${nextSlug},
      fields = ${nextFields}, content_type = ${nextType}, updated_at = now()
    where (${version} is null or ${version} > e.version or (${version} = e.version and (e.version = 0 or e.status = 'draft')))
      and (e.status, e.version, e.slug, e.fields, e.content_type)
        is distinct from ('published', coalesce(${version}, e.version), ${nextSlug}, ${nextFields}, ${nextType})`.execute(
    db,
  );
  return numAffectedRows > 0n;
}

/** Takes an entry out of sight. An event as old as what is stored counts, for hiding is the safe side; an older one not. */
export async function putWithdrawn(
  db: Db,
  { id, version: given }: { id: string; version: number | undefined },
): Promise<boolean> {
  const version = sql`${given ?? null}::bigint`;
  const { numAffectedRows = 0n } = await sql`
    update entries set status = 'withdrawn', version = coalesce(${version}, version), updated_at = now()
    where id = ${id} and (${version} is null or ${version} >= version)
      and (status <> 'withdrawn' or ${version} > version)`.execute(db);
  return numAffectedRows > 0n;
}

export async function isPublished(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from entries where id = ${id} and status = 'published'`.execute(db);
  return rows.length > 0;
}

/** Notes what was told of an entry; without a reason it was applied. */
export async function insertContentEvent(
  db: Db,
  event: {
    topic: string;
    id: string;
    contentType: string | undefined;
    version: number | undefined;
    reason: 'topic' | 'older' | 'absent' | null;
    onlyIndex?: boolean;
    requestId: string;
  },
): Promise<void> {
  await sql`
    insert into content_events (id, topic, entry_id, content_type, version, outcome, reason, only_index, request_id)
    values (${newId()}, ${event.topic}, ${event.id}, ${event.contentType ?? null}, ${event.version ?? null}::bigint,
      ${event.reason === null ? 'applied' : 'ignored'}, ${event.reason}, ${event.onlyIndex ?? false},
      ${event.requestId})`.execute(db);
}
