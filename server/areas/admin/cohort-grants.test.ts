import { joinCommunity, listCommunities, readCommunity } from '@officium/contract/community';
import { joinAcademy, listCatalogue, readAcademy, readEntrySlug, readMicrocourse } from '@officium/contract/content';
import { enrolMyself, readCourse } from '@officium/contract/learner';
import type { Endpoint } from '@officium/contract/endpoint';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { createTestApp, type As, type Sent } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeContentFolder } from '#server/test/factories/content.ts';
import { makeCommunity } from '#server/test/factories/communities.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
await importPath(test.ctx, await makeContentFolder());
await sql`update products set can_view = 'private', can_join = 'private'`.execute(test.ctx.db);
const member = await makePerson(test);
const outsider = await makePerson(test);

const statuses = async (endpoint: Endpoint, sent: Sent, people: As[] = [member.as, outsider.as, {}]) => {
  const replies = [];
  for (const as of people) replies.push((await test.call(endpoint, as, sent)).status);
  return replies;
};

/** Creates a cohort with these products and adds the member. */
async function grant(...products: string[]): Promise<void> {
  await putInCohort(test, await makeCohort(test, { products }), member);
}

async function entryOf(table: 'academies' | 'microcourses'): Promise<{ id: string; slug: string }> {
  return await test.ctx.db.selectFrom(table).select(['id', 'slug']).executeTakeFirstOrThrow();
}

describe('a member of a cohort', () => {
  it('sees its course through a journey and can enrol; others cannot see it', async () => {
    const course = await makeCourse(test, {
      type: 'Private',
      scopes: { canView: 'private', canJoin: 'private' },
      journeys: [{ privacy: 'closed-private' }, { privacy: 'closed-private' }],
    });
    const read = { params: { courseSlug: course.slug } };
    expect(await statuses(readCourse, read)).toEqual([404, 404, 404]);
    await grant(course.journey.entryId);
    expect(await statuses(readCourse, read)).toEqual([200, 404, 404]);
    const { body } = await test.call(readCourse, member.as, read);
    expect(body.course.journeys.map((journey: { slug: string }) => journey.slug)).toEqual([course.journey.slug]);
    const catalogue = (await test.call(listCatalogue, member.as)).body.courses;
    expect(catalogue.map((card: { slug: string }) => card.slug)).toEqual([course.slug]);
    expect(await statuses(readEntrySlug, { params: { id: course.journey.entryId } }, [outsider.as])).toEqual([404]);
    const place = { body: { courseSlug: course.slug, journeySlug: course.journey.slug, locale: 'en' } };
    const [own, other] = await statuses(enrolMyself, place, [member.as, outsider.as]);
    expect(own).toBeLessThan(300);
    expect(other).toBe(404);
  });

  it('sees and joins its academy', async () => {
    const { id, slug } = await entryOf('academies');
    expect(await statuses(readAcademy, { params: { slug } })).toEqual([404, 404, 404]);
    await grant(id);
    expect(await statuses(readAcademy, { params: { slug } })).toEqual([200, 404, 404]);
    expect((await test.call(readAcademy, member.as, { params: { slug } })).body.canJoin).toBe(true);
    expect(await statuses(joinAcademy, { params: { slug } })).toEqual([204, 404, 401]);
  });

  it('reads its microcourse', async () => {
    const { id, slug } = await entryOf('microcourses');
    await grant(id);
    expect(await statuses(readMicrocourse, { params: { slug } })).toEqual([200, 404, 404]);
  });

  it.each(['open-visible', 'open-hidden', 'closed-visible', 'closed-hidden'] as const)(
    'sees its %s community and joins it at once',
    async (privacy) => {
      const community = await makeCommunity(test.ctx.db, { privacy, canView: 'private' });
      const sent = { params: { slug: community.slug } };
      expect(await statuses(readCommunity, sent)).toEqual([404, 404, 404]);
      await grant(community.entryId);
      expect(await statuses(readCommunity, sent)).toEqual([200, 404, 404]);
      const slugs = async (as: As) =>
        (await test.call(listCommunities, as)).body.communities.map((one: { slug: string }) => one.slug);
      expect(await slugs(member.as)).toContain(community.slug);
      expect(await slugs(outsider.as)).not.toContain(community.slug);
      expect((await test.call(joinCommunity, member.as, sent)).body).toMatchObject({ status: 'active' });
      expect(await statuses(joinCommunity, sent, [outsider.as])).toEqual([404]);
    },
  );
});
