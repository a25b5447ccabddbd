import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

type Covered = {
  id: string;
  slug: string;
  cover: string | null;
  cover_alt: LocalizedText;
  can_view: string;
  can_join: string;
};
const COVERED = sql.raw(
  `c.cover, c.cover_alt, coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join`,
);

export type AcademyOut = Covered & { title: LocalizedText; description: LocalizedText; courses: string[] };

/** Everything published, in the order of the catalogue. */
export async function findAcademiesOut(db: Db): Promise<AcademyOut[]> {
  const { rows } = await sql<AcademyOut>`
    select c.id, c.slug, c.title, c.description, ${COVERED},
      coalesce((select jsonb_agg(k.slug order by m.position) from academy_courses m
        join courses k on k.id = m.course_id join entries y on y.id = k.id and y.status = 'published'
        where m.academy_id = c.id), '[]') as courses
    from academies c join entries x on x.id = c.id and x.status = 'published' left join products p on p.entry_id = c.id
    order by c.position, c.slug`.execute(db);
  return rows;
}

export type CourseOut = Covered & {
  type: string;
  title: LocalizedText;
  summary: LocalizedText;
  human_translation: boolean;
};

export async function findCoursesOut(db: Db): Promise<CourseOut[]> {
  const { rows } = await sql<CourseOut>`
    select c.id, c.slug, c.type, c.title, c.summary, c.human_translation, ${COVERED}
    from courses c join entries x on x.id = c.id and x.status = 'published' left join products p on p.entry_id = c.id
    order by c.position, c.slug`.execute(db);
  return rows;
}

export type JourneyOut = {
  key: string;
  course_id: string;
  id: string;
  slug: string;
  title: LocalizedText;
  description: LocalizedText;
  privacy: string;
};

export async function findJourneysOut(db: Db): Promise<JourneyOut[]> {
  return await db
    .selectFrom('journeys')
    .select(['key', 'course_id', 'id', 'slug', 'title', 'description', 'privacy'])
    .where('withdrawn_at', 'is', null)
    .orderBy('position')
    .orderBy('slug')
    .$castTo<JourneyOut>()
    .execute();
}

export type SectionOut = { key: string; journey_key: string; heading: LocalizedText };

export async function findSectionsOut(db: Db): Promise<SectionOut[]> {
  return await db
    .selectFrom('sections')
    .select(['key', 'journey_key', 'heading'])
    .orderBy('position')
    .$castTo<SectionOut>()
    .execute();
}

export type LessonOut = {
  key: string;
  section_key: string;
  id: string;
  slug: string;
  title: LocalizedText;
  minutes: number;
  mandatory: boolean;
  discussion: LocalizedText;
};

export async function findLessonsOut(db: Db): Promise<LessonOut[]> {
  return await db
    .selectFrom('lessons')
    .select(['key', 'section_key', 'id', 'slug', 'title', 'minutes', 'mandatory', 'discussion'])
    .where('withdrawn_at', 'is', null)
    .where('section_key', 'is not', null)
    .orderBy('position')
    .$castTo<LessonOut>()
    .execute();
}

export type BodyOut = { owner: string; locale: string; file: string | null; source: string };

/** The texts of lessons and microcourses, by the key or id of what they belong to. */
export async function findBodiesOut(db: Db): Promise<BodyOut[]> {
  const { rows } = await sql<BodyOut>`
    select coalesce(lesson_key::text, microcourse_id) as owner, locale, file, source from bodies order by locale`.execute(
    db,
  );
  return rows;
}

export type MicrocourseOut = Covered & {
  title: LocalizedText;
  summary: LocalizedText;
  minutes: number;
  human_translation: boolean;
};

export async function findMicrocoursesOut(db: Db): Promise<MicrocourseOut[]> {
  const { rows } = await sql<MicrocourseOut>`
    select c.id, c.slug, c.title, c.summary, c.minutes, c.human_translation, ${COVERED}
    from microcourses c join entries x on x.id = c.id and x.status = 'published' left join products p on p.entry_id = c.id
    order by c.position, c.slug`.execute(db);
  return rows;
}

export type CommunityOut = Covered & {
  title: LocalizedText;
  description: LocalizedText;
  privacy: string;
  locale: string;
  categories: string[];
  owners: string[];
};

/** With the addresses of its owners, those who have no account yet too. */
export async function findCommunitiesOut(db: Db): Promise<CommunityOut[]> {
  const { rows } = await sql<CommunityOut>`
    select c.entry_id as id, c.slug, c.title, c.description, c.privacy, c.locale, c.categories, ${COVERED},
      coalesce((select jsonb_agg(o.email order by o.nth, o.email) from (
        select u.email, 0 as nth from community_members m join users u on u.id = m.user_id
          where m.community_id = c.id and m.role = 'owner' and m.status = 'active' and u.email is not null and u.erased_at is null
        union all select k.email, 1 + k.position from community_owner_claims k where k.community_id = c.id) o), '[]') as owners
    from communities c join entries x on x.id = c.entry_id and x.status = 'published' left join products p on p.entry_id = c.entry_id
    order by c.position, c.slug`.execute(db);
  return rows;
}

export type AssetOut = { path: string; entry_id: string; key: string; mime: string };

export async function findAssetsOut(db: Db): Promise<AssetOut[]> {
  return await db.selectFrom('content_assets').select(['path', 'entry_id', 'key', 'mime']).orderBy('path').execute();
}
