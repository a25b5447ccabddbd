// Raw SQL: `putPublished` is an upsert whose assignments depend on the event.
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { CommunityPrivacy, CourseFacts, Membership, Scope, SetScopes } from '#server/access/can.ts';
import { lockName } from '#server/db/advisory-lock.ts';
import { newId, type Db } from '#server/db/client.ts';
import { anyOf } from './any-of.sql.ts';
import type { JourneyWithAccess } from './catalogue.policy.ts';
import { scopesOfJourney } from './catalogue.repository.ts';

export type EntryKind = 'course' | 'academy' | 'microcourse' | 'journey' | 'community' | 'editorial';

export type SlugRow = { slug: Partial<Record<Locale, string>>; fallbacks: Partial<Record<Locale, Locale | null>> };

/** Returns the slugs of a published entry and its kind in the catalogue; null for a plain entry. */
export async function getEntry(db: Db, id: string): Promise<(SlugRow & { kind: EntryKind | null }) | undefined> {
  const kind = (value: EntryKind) => sql<EntryKind>`${sql.lit(value)}`.as('kind');
  return await db
    .selectFrom('entries as x')
    .select((eb) => [
      'x.slug',
      'x.fallbacks',
      eb
        .selectFrom('courses')
        .select(kind('course'))
        .whereRef('courses.id', '=', 'x.id')
        .unionAll(eb.selectFrom('academies').select(kind('academy')).whereRef('academies.id', '=', 'x.id'))
        .unionAll(eb.selectFrom('microcourses').select(kind('microcourse')).whereRef('microcourses.id', '=', 'x.id'))
        .unionAll(eb.selectFrom('journeys').select(kind('journey')).whereRef('journeys.entry_id', '=', 'x.id'))
        .unionAll(eb.selectFrom('communities').select(kind('community')).whereRef('communities.entry_id', '=', 'x.id'))
        .unionAll(
          eb
            .selectFrom('editorials')
            .select(kind('editorial'))
            .whereRef('editorials.id', '=', 'x.id')
            .where('editorials.kind', 'in', ['question', 'solution', 'hub', 'event']),
        )
        .limit(1)
        .as('kind'),
    ])
    .where('x.id', '=', id)
    .where('x.status', '=', 'published')
    .$narrowType<SlugRow>()
    .executeTakeFirst();
}

export type EntryCommunityRow = {
  slug: string;
  privacy: CommunityPrivacy;
  canView: Scope;
  canJoin: Scope;
  isGranted: boolean;
  membership: Membership;
};

/** Returns communities by slug or entry id, with the user's membership. */
export async function findEntryCommunities(
  db: Db,
  { by, values, userId }: { by: 'slug' | 'entry_id'; values: string[]; userId: string },
): Promise<EntryCommunityRow[]> {
  return await db
    .selectFrom('communities as c')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.entry_id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'c.entry_id')
    .leftJoin('community_members as m', (join) =>
      join
        .onRef('m.community_id', '=', 'c.id')
        .on('m.user_id', '=', userId)
        .on((eb) => sql<boolean>`(${eb.ref('m.expires_on')} <= now()) is not true`),
    )
    .where(`c.${by}`, '=', anyOf(values, 'text'))
    .select((eb) => [
      'c.slug',
      eb.ref('c.privacy').$castTo<CommunityPrivacy>().as('privacy'),
      eb.fn.coalesce('p.can_view', sql.lit('private')).$castTo<Scope>().as('canView'),
      eb.fn.coalesce('p.can_join', sql.lit('private')).$castTo<Scope>().as('canJoin'),
      sql<boolean>`is_granted(${userId}, ${eb.ref('c.entry_id')})`.as('isGranted'),
      sql<Membership>`case when ${eb.ref('m.user_id')} is not null then jsonb_build_object(
        'role', ${eb.ref('m.role')}, 'level', ${eb.ref('m.level')}, 'status', ${eb.ref('m.status')}) end`.as(
        'membership',
      ),
    ])
    .execute();
}

export type EntryJourneyRow = {
  course: CourseFacts & SetScopes;
  journeys: (JourneyWithAccess & { entryId: string | null })[];
};

/** Returns the course of a journey entry, with the user's access to all its journeys. */
export async function getEntryJourney(
  db: Db,
  { entryId, userId }: { entryId: string; userId: string },
): Promise<EntryJourneyRow | undefined> {
  return await db
    .selectFrom('journeys as j')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'c.id')
    .where('j.entry_id', '=', entryId)
    .where('j.withdrawn_at', 'is', null)
    .select((eb) => [
      sql<EntryJourneyRow['course']>`jsonb_build_object(
        'slug', ${eb.ref('c.slug')},
        'type', ${eb.ref('c.type')},
        'canView', coalesce(${eb.ref('p.can_view')}, 'private'),
        'canJoin', coalesce(${eb.ref('p.can_join')}, 'private'),
        'isSet', coalesce(${eb.ref('p.is_set')}, false))`.as('course'),
      eb
        .selectFrom('journeys as o')
        .leftJoin('entries as y', 'y.id', 'o.entry_id')
        .leftJoin('products as q', 'q.entry_id', 'o.entry_id')
        .leftJoin('journey_enrolments as e', (join) =>
          join.onRef('e.journey_key', '=', 'o.key').on('e.user_id', '=', userId),
        )
        .whereRef('o.course_id', '=', 'c.id')
        .where('o.withdrawn_at', 'is', null)
        .where((eb) => eb.fn.coalesce(eb('y.status', '=', 'published'), sql<boolean>`true`))
        .select((eb) =>
          sql<EntryJourneyRow['journeys']>`jsonb_agg(jsonb_build_object(
            'entryId', ${eb.ref('o.entry_id')},
            'privacy', ${eb.ref('o.privacy')},
            'scopes', ${scopesOfJourney},
            'granted', is_granted(${userId}, ${eb.ref('c.id')})
              or coalesce(is_granted(${userId}, ${eb.ref('o.entry_id')}), false),
            'enrolled', coalesce(enrolment_status(${eb.ref('e.status')}, ${eb.ref('e.expires_on')}) = 'enrolled', false)
          ))`.as('journeys'),
        )
        .$asScalar()
        // Not null, because callers have found the journey's entry published.
        .$notNull()
        .as('journeys'),
    ])
    .executeTakeFirst();
}

export type PublishedEntry = {
  id: string;
  contentType: string | undefined;
  version: number | undefined;
  slug: { slugs: Record<string, string>; isWhole: boolean } | undefined;
  fields: Record<string, unknown> | undefined;
};

/** Serialises the events of an entry, so that a withdrawal and a publication of an unknown entry see each other. */
export async function lockEvents(db: Db, id: string): Promise<void> {
  await lockName(db, `content entry ${id}`);
}

/**
 * Stores a published entry unless the stored version is as new, or an event withdrew this or a later version before the
 * entry was known (only the event is stored then). Values missing from the event stay.
 */
export async function putPublished(db: Db, entry: PublishedEntry): Promise<boolean> {
  const { id, contentType, slug, fields } = entry;
  const version = sql`${entry.version ?? null}::bigint`;
  const slugs = slug && JSON.stringify(slug.slugs);
  const nextSlug =
    slug === undefined ? sql`e.slug` : slug.isWhole ? sql`${slugs}::jsonb` : sql`e.slug || ${slugs}::jsonb`;
  const nextFields = fields === undefined ? sql`e.fields` : sql`${JSON.stringify(fields)}::jsonb`;
  // An entry never changes its type, but an entry of type 'unknown' gets the type of a later event.
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

/**
 * Withdraws an entry. An event of the stored version is applied, because hiding is the safe choice; older ones are not.
 */
export async function putWithdrawn(
  db: Db,
  { id, version: given }: { id: string; version: number | undefined },
): Promise<boolean> {
  const version = sql<number | null>`${given ?? null}::bigint`;
  const { numUpdatedRows } = await db
    .updateTable('entries')
    .set((eb) => ({
      status: 'withdrawn',
      version: eb.fn.coalesce(version, 'version'),
      updated_at: sql`now()`,
    }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb(version, 'is', null), eb(version, '>=', eb.ref('version'))]))
    .where((eb) => eb.or([eb('status', '<>', 'withdrawn'), eb(version, '>', eb.ref('version'))]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isPublished(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('entries')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'published')
    .executeTakeFirst();
  return row !== undefined;
}

/** Logs an event of the content platform. A null `reason` means it was applied. */
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
  await db
    .insertInto('content_events')
    .values({
      id: newId(),
      topic: event.topic,
      entry_id: event.id,
      content_type: event.contentType ?? null,
      version: event.version ?? null,
      outcome: event.reason === null ? 'applied' : 'ignored',
      reason: event.reason,
      only_index: event.onlyIndex ?? false,
      request_id: event.requestId,
    })
    .execute();
}
