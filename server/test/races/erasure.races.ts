import { askToConnect } from '@officium/contract/account';
import { askLesson } from '@officium/contract/ai';
import { deleteAccount } from '@officium/contract/auth';
import { createActivity, createActivityReaction, joinCommunity, listMembers } from '@officium/contract/community';
import { joinAcademy } from '@officium/contract/content';
import { completeLesson, completeMicrocourse, enrolMyself, issueMyCertificate } from '@officium/contract/learner';
import { castVote, createCommunityPoll } from '@officium/contract/polls';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { newId } from '../../db/client.ts';
import { makePerson } from '../factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '../factories/communities.ts';
import { completeLessons, enrol, makeCourse } from '../factories/courses.ts';
import { type Nodes, type Request, tally } from './nodes.ts';

/** Content for others, and its votes, stay as an anonymous person's. */
const KEPT = ['activities', 'activity_people', 'articles', 'poll_votes', 'reactions'];

/** Tables without `refuse_erased`: they lock the account themselves, or are written together with a guarded row. */
const LOCKED = ['activity_people', 'connections', 'profile_images'];

export function erasureRaces({ test, ask, storm }: Nodes): void {
  const { db } = test.ctx;

  /** The columns that refer to accounts. */
  const findReferences = async (): Promise<{ table: string; column: string }[]> => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.conrelid::regclass::text as table, a.attname as column
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1, 2`.execute(db);
    return [...rows, { table: 'idempotency_keys', column: 'caller' }];
  };
  /** The tables that still have rows of the person. */
  const tablesWith = async (id: string): Promise<string[]> => {
    const found: string[] = [];
    for (const { table, column } of await findReferences()) {
      const { rows: own } = await sql`
        select 1 from ${sql.table(table)} where ${sql.ref(column)}::text = ${id} limit 1`.execute(db);
      if (own.length > 0) found.push(table);
    }
    return [...new Set(found)].filter((table) => !KEPT.includes(table));
  };

  it('every table that refers to accounts refuses erased ones', async () => {
    const { rows } = await sql<{ table: string }>`
      select tgrelid::regclass::text as table from pg_trigger where tgname = 'refuse_erased'`.execute(db);
    const guarded = new Set(rows.map(({ table }) => table));
    const referring = (await findReferences()).map(({ table }) => table);
    expect(referring.filter((table) => !guarded.has(table) && !LOCKED.includes(table))).toEqual([]);
  });

  it('erasure leaves nothing of an account that writes meanwhile', async () => {
    const owner = await makePerson(test);
    const academy = `academy-${newId()}`;
    await sql`insert into entries (id, content_type, source) values (${academy}, 'academy', 'folder')`.execute(db);
    await sql`
      insert into products (entry_id, content_type, can_view, can_join)
      values (${academy}, 'academy', 'public', 'authenticated')`.execute(db);
    await sql`insert into academies (id, slug, title) values (${academy}, ${academy}, '{"en": "An academy"}')`.execute(
      db,
    );
    const microcourse = `microcourse-${newId()}`;
    await sql`insert into entries (id, content_type, source) values (${microcourse}, 'microcourse', 'folder')`.execute(
      db,
    );
    await sql`
      insert into products (entry_id, content_type, can_view, can_join)
      values (${microcourse}, 'microcourse', 'public', 'authenticated')`.execute(db);
    await sql`
      insert into microcourses (id, slug, title) values (${microcourse}, ${microcourse}, '{"en": "Short"}')`.execute(
      db,
    );
    const [open, done] = [await makeCourse(test), await makeCourse(test)];
    const community = await makeCommunity(db);
    await makeMember(db, community, owner, { role: 'owner' });
    const activityId = await makeActivity(db, community, owner);
    const { body: poll } = await ask(0, createCommunityPoll, owner.as, {
      params: { slug: community.slug },
      body: {
        title: 'Which?',
        options: [
          { position: 1, body: 'One' },
          { position: 2, body: 'Two' },
        ],
      },
    });

    for (let round = 0; round < 8; round++) {
      const maya = await makePerson(test);
      await makeMember(db, community, maya);
      const others = [];
      for (let nth = 0; nth < 4; nth++) others.push(await makeCommunity(db));
      await enrol(test, maya, done.journey);
      await completeLessons(test, maya, done.journey.lessons.slice(0, 3));
      const slugsOf = (course: typeof open) => ({ courseSlug: course.slug, journeySlug: course.journey.slug });
      const writes: Request[] = [
        ...others.map(({ slug }): Request => [joinCommunity, maya.as, { params: { slug } }]),
        [enrolMyself, maya.as, { body: slugsOf(open) }],
        [issueMyCertificate, maya.as, { params: slugsOf(done), body: {} }],
        [completeLesson, maya.as, { params: { ...slugsOf(done), lessonSlug: done.journey.lessons[3]?.slug } }],
        [
          askLesson,
          maya.as,
          { body: { query: 'What is the text?', ...slugsOf(done), lessonSlug: done.journey.lessons[0]?.slug } },
        ],
        [joinAcademy, maya.as, { params: { slug: academy } }],
        [completeMicrocourse, maya.as, { params: { slug: microcourse } }],
        [askToConnect, maya.as, { body: { peerId: owner.id } }],
        [castVote, maya.as, { params: { id: poll.optionIds[0] }, body: { remark: 'mine' } }],
        [createActivityReaction, maya.as, { params: { slug: community.slug, id: activityId }, body: { kind: 'like' } }],
        [
          createActivity,
          maya.as,
          {
            params: { slug: community.slug },
            body: { body: 'My last words' },
            headers: { 'idempotency-key': 'last words' },
          },
        ],
      ];
      // Each round puts the erasure at another position.
      const place = (round * 3) % writes.length;
      const erase: Request = [deleteAccount, maya.as, { params: { email: maya.email } }];
      const answers = await storm([...writes.slice(0, place), erase, erase, ...writes.slice(place), ...writes]);
      const [one, two] = answers.splice(place, 2);
      expect([one?.status, two?.status]).toContain(200);
      expect(tally(answers.filter(({ status }) => status >= 500))).toEqual({});
      expect(await tablesWith(maya.id), `round ${round}`).toEqual([]);
      const { rows: remarks } = await sql`
        select detail from poll_votes where user_id = ${maya.id} and detail <> '{}'`.execute(db);
      expect(remarks, `round ${round}`).toEqual([]);
      const { rows } = await sql`
        select 1 from communities c
        where c.member_count <> (select count(*) from community_members m where m.community_id = c.id and m.status = 'active')
      `.execute(db);
      expect(rows, `round ${round}`).toEqual([]);
      const { body } = await ask(1, listMembers, owner.as, { params: { slug: community.slug } });
      expect(body.total).toBe(1);
    }
  });
}
