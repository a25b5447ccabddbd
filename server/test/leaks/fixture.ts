import { makePayment } from '../authority/things.ts';
import { sql } from 'kysely';
import type { TestApp } from '../app.ts';
import { plantCatalogue, plantCourses } from './learning.ts';
import { plantRecords } from './office.ts';
import { makeCourse, type TestCourse } from '../factories/courses.ts';
import { assignRoles } from '../factories/roles.ts';
import { type Names, type Planting, startPlanting } from './planting.ts';
import { plantErased, plantProfiles } from './profiles.ts';
import { plantArticles, plantHalfHidden, plantHidden, plantPlaza } from './talk.ts';

export type Fixture = Awaited<ReturnType<typeof makeFixture>>;

/** The former path of a page: each community, course and hub had the slug `was-<slug>` before. */
export const formerPath = (kind: 'communities' | 'courses' | 'hubs', slug: string) => `/${kind}/was-${slug}`;

async function plantFormerSlugs({ ctx: { db } }: TestApp): Promise<void> {
  await sql`
    insert into former_slugs (kind, slug, key)
    select 'course', 'was-' || slug, id from courses
    union all select 'community', 'was-' || slug, id::text from communities
    union all select kind, 'was-' || slug, id from editorials where kind = 'hub'`.execute(db);
}

/** A course in which `courseOwner` has every role of content. */
async function plantOwnCourse({ test, people }: Planting): Promise<TestCourse> {
  const course = await makeCourse(test);
  const place = { kind: 'course', id: course.id } as const;
  await assignRoles(test, people.courseOwner, [
    { role: 'course-owner', ...place },
    { role: 'author', ...place },
    { role: 'translator', ...place },
  ]);
  return course;
}

/** A fixture in which every restricted text contains a unique word. */
export async function makeFixture(test: TestApp) {
  const planting = await startPlanting(test);
  const profiles = await plantProfiles(planting);
  const { names: inPlaza, plaza, ...talk } = await plantPlaza(planting);
  const { names: inHidden, hidden } = await plantHidden(planting);
  const { names: ofArticles, articleSlug } = await plantArticles(planting, hidden);
  const halfHidden = await plantHalfHidden(planting);
  const { names: ofCourses, withdrawn, course, closed } = await plantCourses(planting);
  const catalogue = await plantCatalogue(planting, [closed, course]);
  const erased = await plantErased(planting, plaza);
  const records = await plantRecords(planting, closed);
  await plantFormerSlugs(test);
  const lessons = closed.journey.lessons.map(({ key }) => key);
  const own = await plantOwnCourse(planting);
  const pieces = { 'pieces/key': [plaza.entryId, hidden.entryId, closed.id, closed.journey.key, ...lessons, own.id] };

  const names: Names = {};
  const parts = [
    profiles,
    inPlaza,
    inHidden,
    ofArticles,
    halfHidden,
    ofCourses,
    withdrawn,
    catalogue,
    erased,
    records,
    pieces,
  ];
  for (const part of parts)
    for (const [place, values] of Object.entries(part)) names[place] = [...(names[place] ?? []), ...values];
  const ofVictim = test.ctx.db.selectFrom('notifications').where('user_id', '=', planting.people.victim.id);
  names['inbox/id'] = (await ofVictim.select('id').execute()).map(({ id }) => id);
  names['payments/id'] = [await makePayment(test, planting.people.victim, closed.journey)];
  const sharedPosts = await test.ctx.db.selectFrom('discussion_shares').select('activity_id').execute();
  return {
    ...talk,
    /** Posts that share a discussion of the closed course. */
    sharedPosts: sharedPosts.map(({ activity_id }) => activity_id),
    people: planting.people,
    secrets: planting.secrets,
    names,
    homes: planting.homes,
    hidden,
    closed,
    articleSlug,
    /** Identifiers of objects whose existence only the victim and administrators may know. */
    unknown: [
      hidden.slug,
      hidden.entryId,
      closed.slug,
      closed.id,
      formerPath('communities', hidden.slug),
      formerPath('courses', closed.slug),
    ],
  };
}
