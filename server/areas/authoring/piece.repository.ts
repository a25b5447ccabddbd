// Raw SQL: the document of a piece differs by kind, and `HOLDERS` names the table of a kind.
import type { Locale } from '@officium/contract/common';
import type { PieceDoc, PieceKind } from '@officium/contract/authoring';
import { type RawBuilder, sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import { type Db, NOW } from '#server/db/client.ts';
import { BANK, BANK_FILES, CONTACTS } from './course-doc.sql.ts';
import { editorialDoc, isEditorial } from './editorial-doc.sql.ts';
import { academyOf, COURSE_OF } from './piece-place.sql.ts';
import type { PieceImage, PieceKey, StoredDoc } from './piece.policy.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const BODIES = (owner: RawBuilder<unknown>) => sql`
  'body', coalesce((select jsonb_object_agg(b.locale, b.source) from bodies b where ${owner}), '{}')`;
const FILES = (owner: RawBuilder<unknown>) => sql`
  coalesce((select jsonb_object_agg(b.locale, b.file) from bodies b where ${owner} and b.file is not null), '{}')`;
/** Cover paths relative to the content folder; stored paths begin with the entry id. */
const cover = (id: string) => sql.raw(`'cover', substr(t.cover, length(t.${id}) + 2), 'coverAlt', t.cover_alt`);
const NO_FILES = sql`'{}'::jsonb`;
const OF_ENTRY = sql`case x.status when 'published' then true else false end as "isShown"`;

/** Selects the published state of a piece as a document. */
function liveSql(kind: PieceKind, key: string): RawBuilder<unknown> {
  if (isEditorial(kind))
    return sql`select t.id as entry_id, null as parent, ${OF_ENTRY}, t.position, t.slug as "ownId", ${NO_FILES} as files,
      ${editorialDoc(kind, cover('id'))} as doc
      from editorials t join entries x on x.id = t.id where t.id = ${key} and t.kind = ${kind}`;
  switch (kind) {
    case 'academy':
      return sql`select t.id as entry_id, null as parent, ${OF_ENTRY}, t.position, t.slug as "ownId", ${NO_FILES} as files,
        jsonb_build_object('kind', 'academy', 'slug', t.slug, 'title', t.title, 'description', t.description, ${cover('id')},
          'topics', to_jsonb(t.topics), 'courses', coalesce((select jsonb_agg(m.course_id order by m.position, m.course_id) from academy_courses m
            where m.academy_id = t.id), '[]')) as doc
        from academies t join entries x on x.id = t.id where t.id = ${key}`;
    case 'course':
      return sql`select t.id as entry_id, null as parent, ${OF_ENTRY}, t.position, t.slug as "ownId", ${BANK_FILES} as files,
        jsonb_build_object('kind', 'course', 'slug', t.slug, 'type', t.type, 'title', t.title, 'summary', t.summary,
          ${cover('id')}, 'topics', to_jsonb(t.topics), 'contacts', ${CONTACTS},
          'humanTranslation', t.human_translation, ${BANK}) as doc
        from courses t join entries x on x.id = t.id where t.id = ${key}`;
    case 'microcourse': {
      const own = sql`b.microcourse_id = t.id`;
      return sql`select t.id as entry_id, null as parent, ${OF_ENTRY}, t.position, t.slug as "ownId", ${FILES(own)} as files,
        jsonb_build_object('kind', 'microcourse', 'slug', t.slug, 'title', t.title, 'summary', t.summary,
          'minutes', t.minutes, 'humanTranslation', t.human_translation, ${cover('id')},
          'topics', to_jsonb(t.topics), ${BODIES(own)}) as doc
        from microcourses t join entries x on x.id = t.id where t.id = ${key}`;
    }
    case 'community':
      return sql`select t.entry_id, null as parent, ${OF_ENTRY}, t.position, t.id::text as "ownId", ${NO_FILES} as files,
        jsonb_build_object('kind', 'community', 'slug', t.slug, 'title', t.title, 'description', t.description,
          'privacy', t.privacy, 'locale', t.locale, 'categories', to_jsonb(t.categories), ${cover('entry_id')}) as doc
        from communities t join entries x on x.id = t.entry_id where t.entry_id = ${key}`;
    case 'journey':
      return sql`select coalesce(t.entry_id, t.course_id) as entry_id, t.course_id as parent,
        t.withdrawn_at is null as "isShown", t.position, t.id as "ownId", ${NO_FILES} as files,
        jsonb_build_object('kind', 'journey', 'slug', t.slug, 'title', t.title, 'description', t.description,
          'privacy', t.privacy, 'price', t.price, 'evaluation', t.evaluation,
          'certificateMonths', t.certificate_months, 'sections', coalesce((select jsonb_agg(jsonb_build_object('heading', s.heading, 'lessons',
            coalesce((select jsonb_agg(l.key order by l.position, l.key) from lessons l where l.section_key = s.key), '[]'))
            order by s.position) from sections s where s.journey_key = t.key), '[]')) as doc
        from journeys t where t.key = ${key}::uuid`;
    case 'lesson': {
      const own = sql`b.lesson_key = t.key`;
      return sql`select j.course_id as entry_id, t.journey_key::text as parent, t.withdrawn_at is null as "isShown",
        t.position, t.id as "ownId", ${FILES(own)} as files,
        jsonb_build_object('kind', 'lesson', 'slug', t.slug, 'title', t.title, 'minutes', t.minutes,
          'mandatory', t.mandatory, 'discussion', t.discussion, 'assessment', t.assessment,
          ${BODIES(own)}) as doc
        from lessons t join journeys j on j.key = t.journey_key where t.key = ${key}::uuid`;
    }
  }
}

/** Fields that documents stored by an earlier release lack. */
export const LACKING: Partial<Record<PieceKind, object>> = {
  academy: { topics: [] },
  course: { topics: [], contacts: [], body: {} },
  journey: { price: null, evaluation: [], certificateMonths: null },
  lesson: { assessment: null },
  microcourse: { topics: [] },
};

export type PieceRow = {
  entryId: string;
  parent: string | null;
  /** The course of a course, journey or lesson. */
  courseId: string | null;
  /** The academy in which that course was begun, until the course is published. */
  academyId: string | null;
  origin: 'folder' | 'export' | 'webhook' | 'authoring';
  entryStatus: 'published' | 'withdrawn' | 'draft';
  isProduct: boolean;
  /** The state in the catalogue; null before the first publication. */
  live: PieceDoc | null;
  files: Partial<Record<Locale, string>>;
  isShown: boolean | null;
  position: number | null;
  ownId: string | null;
  /** 0 if the piece was never edited here; then the following fields are null. */
  version: number;
  draft: StoredDoc | null;
  /** Whether an administrator withdrew it; only administrators publish it again. */
  isBarred: boolean;
  sourceLocale: Locale | null;
  texts: Partial<Record<Locale, string>>;
  changedAt: Date | null;
  changedBy: string | null;
  isPersonDeleted: boolean;
  /** The last stored published version. */
  last: { number: number; source: string; doc: StoredDoc } | null;
  lastNumber: number;
  /** Pictures of the piece's entry. */
  assets: PieceImage[];
};

/** Returns a piece, published or draft. */
export async function getPiece(db: Db, { kind, key }: PieceKey): Promise<PieceRow | undefined> {
  if ((kind === 'journey' || kind === 'lesson') && !UUID.test(key)) return undefined;
  const lacking = JSON.stringify(LACKING[kind] ?? {});
  const courseId = COURSE_OF[kind] ?? sql`null`;
  const { rows } = await sql<PieceRow>`
    select e.id as "entryId", coalesce(live.parent, p.parent) as parent, ${courseId} as "courseId",
      (${academyOf(courseId)}) as "academyId", e.source as origin, e.status as "entryStatus",
      exists (select from products q where q.entry_id = e.id) as "isProduct", live.doc as live,
      coalesce(live.files, '{}') as files, live."isShown", live.position, live."ownId", coalesce(p.version, 0) as version,
      ${lacking}::jsonb || p.draft as draft, coalesce(p.is_barred, false) as "isBarred", p.source_locale as "sourceLocale", coalesce(p.texts, '{}') as texts, p.changed_at as "changedAt",
      u.name as "changedBy", u.erased_at is not null as "isPersonDeleted",
      (select jsonb_build_object('number', v.number, 'source', v.source, 'doc', ${lacking}::jsonb || v.doc) from content_versions v
        where v.kind = ${kind} and v.key = ${key} and v.source <> 'draft' order by v.number desc limit 1) as last,
      coalesce((select max(v.number) from content_versions v where v.kind = ${kind} and v.key = ${key}), 0) as "lastNumber",
      coalesce((select jsonb_agg(jsonb_build_object('path', substr(a.path, length(e.id) + 2), 'key', a.key, 'mime', a.mime,
        'bytes', a.bytes, 'hash', a.hash) order by a.path) from content_assets a where a.entry_id = e.id), '[]') as assets
    from (values (1)) one left join lateral (${liveSql(kind, key)}) live on true
    left join content_pieces p on p.kind = ${kind} and p.key = ${key}
    left join users u on u.id = p.user_id
    join entries e on e.id = coalesce(live.entry_id, p.entry_id)`.execute(db);
  return rows[0];
}

/** Locks pieces and returns their versions. */
export async function lockPieces(db: Db, pieces: readonly PieceKey[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('content_pieces')
    .select(({ ref }) => [sql<string>`${ref('kind')} || ' ' || ${ref('key')}`.as('name'), 'version'])
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('kind', 'key'),
        'in',
        pieces.map(({ kind, key }) => tuple(kind as string, key)),
      ),
    )
    .orderBy('kind')
    .orderBy('key')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.name, row.version]));
}

/** Inserts the row of a piece that was never edited here, so that versions can reference it. */
export async function insertPiece(
  db: Db,
  { kind, key, entryId, parent }: PieceKey & { entryId: string; parent: string | null },
): Promise<void> {
  await db.insertInto('content_pieces').values({ kind, key, entry_id: entryId, parent, version: 0 }).execute();
}

export type PieceWrite = PieceKey & {
  entryId: string;
  parent: string | null;
  /** The academy in which a new course is begun. */
  academyId?: string | undefined;
  /** The version the edit is based on; 0 for a new piece. */
  version: number;
  draft: StoredDoc | null;
  sourceLocale: Locale;
  /** Languages with changed texts. */
  changed: Locale[];
  userId: string;
};

/** Stores a piece and returns its new version; undefined when another edit came first. */
export async function putPiece(db: Db, piece: PieceWrite): Promise<number | undefined> {
  const { kind, key, entryId, parent, academyId, version, draft, sourceLocale, changed, userId } = piece;
  const now = sql<string>`coalesce((select jsonb_object_agg(c, to_jsonb(now())) from unnest(${changed}::text[]) c), '{}')`;
  const row = await db
    .insertInto('content_pieces')
    .values({
      kind,
      key,
      entry_id: entryId,
      parent,
      academy_id: academyId ?? null,
      source_locale: sourceLocale,
      draft: draft && JSON.stringify(draft),
      texts: now,
      user_id: userId,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet((eb) => ({
          version: eb('content_pieces.version', '+', 1),
          source_locale: eb.ref('excluded.source_locale'),
          draft: eb.ref('excluded.draft'),
          texts: sql`${eb.ref('content_pieces.texts')} || ${eb.ref('excluded.texts')}`,
          user_id: eb.ref('excluded.user_id'),
          changed_at: NOW,
        }))
        .where('content_pieces.version', '=', version),
    )
    .returning('version')
    .executeTakeFirst();
  return row?.version;
}

const EDITORIALS = { table: 'editorials', key: 'id', parent: null };

export const HOLDERS: Record<PieceKind, { table: string; key: string; parent: string | null }> = {
  academy: { table: 'academies', key: 'id', parent: null },
  course: { table: 'courses', key: 'id', parent: null },
  microcourse: { table: 'microcourses', key: 'id', parent: null },
  community: { table: 'communities', key: 'entry_id', parent: null },
  journey: { table: 'journeys', key: 'key', parent: 'course_id' },
  lesson: { table: 'lessons', key: 'key', parent: 'journey_key' },
  question: EDITORIALS,
  solution: EDITORIALS,
  hub: EDITORIALS,
  carousel: EDITORIALS,
  picture: EDITORIALS,
  event: EDITORIALS,
};

/** Selects the rows of a kind in a table that several kinds share. */
export const ofKind = (kind: PieceKind): RawBuilder<unknown> => (isEditorial(kind) ? sql`t.kind = ${kind}` : sql`true`);

/**
 * Checks whether a sibling has the slug, published or in a draft. Locks the slug first: drafts have no unique index, and
 * the ids of new entries are derived from it.
 */
export async function isSlugTaken(
  db: Db,
  { kind, key, parent, slug }: PieceKey & { parent: string | null; slug: string },
): Promise<boolean> {
  await lockName(db, `content address ${slug}`);
  const holder = HOLDERS[kind];
  const beside = holder.parent === null ? sql`true` : sql`t.${sql.ref(holder.parent)}::text = ${parent}`;
  const { rows } = await sql`
    select 1 from ${sql.table(holder.table)} t
      where t.slug = ${slug} and t.${sql.ref(holder.key)}::text <> ${key} and ${ofKind(kind)} and ${beside}
    union all
    select 1 from content_pieces p
      where p.kind = ${kind} and p.key <> ${key} and p.parent is not distinct from ${parent} and p.draft->>'slug' = ${slug}
    limit 1`.execute(db);
  return rows.length > 0;
}

const PRIVACIES = { course: 'type', journey: 'privacy', community: 'privacy' } as const;

/** Updates the privacy. Unlike an import, which sets it only on insert, an administrator may change it. */
export async function updatePrivacy(db: Db, kind: keyof typeof PRIVACIES, key: string, privacy: string): Promise<void> {
  const { table, key: column } = HOLDERS[kind];
  const privacyColumn = sql.ref(PRIVACIES[kind]);
  await sql`update ${sql.table(table)} set ${privacyColumn} = ${privacy}
    where ${sql.ref(column)}::text = ${key} and ${privacyColumn} <> ${privacy}`.execute(db);
}

/** Deletes a draft with its entry and product. A lesson shares the entry of its course, which stays. */
export async function deletePiece(db: Db, { kind, key }: PieceKey): Promise<void> {
  const deleted = await db
    .deleteFrom('content_pieces')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .returning('entry_id')
    .executeTakeFirst();
  if (!deleted || kind === 'lesson') return;
  await db
    .deleteFrom('entries')
    .where('id', '=', deleted.entry_id)
    .where('source', '=', 'authoring')
    .where('status', '=', 'draft')
    .execute();
}
