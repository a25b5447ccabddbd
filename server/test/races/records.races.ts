import {
  addCohortUser,
  createUpload,
  listUploads,
  registerProduct,
  setCohortProducts,
  setProductPermission,
} from '@officium/contract/admin';
import { confirmSignUp, createAccount } from '@officium/contract/auth';
import { indexEntry } from '@officium/contract/content';
import { enrolMany, enrolPerson, referColleague, withdrawPerson } from '@officium/contract/enrolment';
import { createAutoApproval, createUserRecord } from '@officium/contract/people';
import { createBulkEnrolment, createUserCommunity } from '@officium/contract/people-records';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { newId } from '../../db/client.ts';
import { SERVICE_KEY, WEBHOOK_KEY } from '../app.ts';
import { lastMail, makePerson } from '../factories/accounts.ts';
import { makeCohort } from '../factories/cohorts.ts';
import { makeCommunity } from '../factories/communities.ts';
import { makeCourse } from '../factories/courses.ts';
import { type Nodes, type Request, tally, times } from './nodes.ts';

const SERVICE = { serviceKey: SERVICE_KEY };

export function recordRaces({ test, ask, storm }: Nodes): void {
  const { db } = test.ctx;
  const count = async (table: string, column: string, value: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db);
    return rows[0]?.count;
  };

  it('registering an entry many times makes one product and one audit record', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const id = `entry-${newId()}`;
    await sql`insert into entries (id, content_type, source) values (${id}, 'microcourse', 'folder')`.execute(db);
    expect(tally(await storm(times(50, registerProduct, admin.as, { params: { id } })))).toEqual({ 204: 50 });
    expect([await count('products', 'entry_id', id), await count('audit_log', 'object', id)]).toEqual([1, 1]);
  });

  it('scopes set at once stay a valid pair', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const course = await makeCourse(test, { scopes: { canView: 'authenticated', canJoin: 'authenticated' } });
    const set = (permission: string, scope: string): Request => [
      setProductPermission,
      admin.as,
      { params: { id: course.id }, body: { permission, scope } },
    ];
    for (let round = 0; round < 5; round++) {
      await storm([set('can_view', 'public'), set('can_join', 'public'), set('can_join', 'verified')]);
      const answers = await storm([set('can_join', 'authenticated'), set('can_view', 'verified')]);
      expect(answers.filter(({ status }) => status !== 204 && status !== 400)).toEqual([]);
      const { rows } = await sql<{ can_view: string; can_join: string }>`
        select can_view, can_join from products where entry_id = ${course.id}`.execute(db);
      const order = ['public', 'authenticated', 'verified', 'private'];
      expect(order.indexOf(rows[0]!.can_join)).toBeGreaterThanOrEqual(order.indexOf(rows[0]!.can_view));
    }
  });

  it('cohort products set at once are one of the lists in full', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const courses = [await makeCourse(test), await makeCourse(test), await makeCourse(test), await makeCourse(test)];
    const cohortId = await makeCohort(test);
    const lists = [
      [courses[0]!.id, courses[1]!.id],
      [courses[1]!.id, courses[2]!.id, courses[3]!.id],
    ];
    const answers = await storm(
      Array.from({ length: 30 }, (_, nth): Request => [
        setCohortProducts,
        admin.as,
        { params: { id: cohortId }, body: { entryIds: lists[nth % 2] } },
      ]),
    );
    expect(tally(answers)).toEqual({ 204: 30 });
    const { rows } = await sql<{ entry_id: string }>`
      select entry_id from cohort_products where cohort_id = ${cohortId} order by position`.execute(db);
    expect(lists).toContainEqual(rows.map((row) => row.entry_id));
  });

  it('concurrent uploads of the same addresses place each person once, including people who sign up meanwhile', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const cohortId = await makeCohort(test);
    const run = newId().slice(-8);
    const members = [];
    for (let nth = 0; nth < 20; nth++) members.push((await makePerson(test)).email);
    const coming = Array.from({ length: 10 }, (_, nth) => `coming-${nth}-${run}@example.gov`);
    for (const email of coming) await ask(0, createAccount, {}, { body: { name: 'Maya Lund', email } });
    const codes = await Promise.all(coming.map(async (email) => (await lastMail(test, email, 'sign_up_code')).code));
    const strangers = Array.from({ length: 1_500 }, (_, nth) => `stranger-${nth}-${run}@example.gov`);
    const emails = [...members, ...coming, ...strangers];
    const answers = await storm([
      [createUpload, admin.as, { params: { id: cohortId }, body: { slug: 'first', emails } }],
      [createUpload, admin.as, { params: { id: cohortId }, body: { slug: 'second', emails: emails.toReversed() } }],
      ...strangers
        .slice(0, 20)
        .map((email): Request => [addCohortUser, admin.as, { params: { id: cohortId }, body: { email } }]),
      ...coming.map((email, nth): Request => [confirmSignUp, {}, { body: { email, code: codes[nth] } }]),
    ]);
    expect(tally(answers)).toEqual({ 202: 2, 204: 20, 200: 10 });
    const uploads = async () => (await ask(1, listUploads, admin.as, { params: { id: cohortId } })).body.uploads;
    await vi.waitFor(
      async () => expect((await uploads()).map(({ status }: { status: string }) => status)).toEqual(['done', 'done']),
      { timeout: 30_000, interval: 200 },
    );
    const placed = (await uploads()).map(({ outcomes }: { outcomes: Record<string, number> }) => outcomes);
    for (const { added = 0, invited = 0, already = 0 } of placed) expect(added + invited + already).toBe(emails.length);
    const { rows } = await sql`
      select (select count(*) from cohort_members where cohort_id = c.id) as members,
        (select count(*) from cohort_invitations where cohort_id = c.id) as invitations,
        (select count(*) from cohort_invitations i join users u on u.email = i.email
          where i.cohort_id = c.id and u.email_proven_at is not null) as both
      from cohorts c where c.id = ${cohortId}`.execute(db);
    expect(rows).toEqual([{ members: 30, invitations: 1_500, both: 0 }]);
    const { rows: mailed } = await sql`
      select recipient from mails where kind = 'cohort_invitation' and recipient like ${`%${run}@example.gov`}
      group by recipient having count(*) > 1`.execute(db);
    expect(mailed).toEqual([]);
  });

  it('an enrolment requested many times makes one record and one invitation', async () => {
    const course = await makeCourse(test);
    const cohortId = await makeCohort(test);
    const email = `enrolled-${newId()}@example.gov`;
    const enrolment = { email, cohortIds: [cohortId], enrolments: [{ type: 'courses', slug: course.slug }] };
    const answers = await storm([
      ...times(20, enrolPerson, SERVICE, { body: enrolment }),
      ...times(10, enrolMany, SERVICE, { body: { enrolments: [enrolment] } }),
    ]);
    expect(tally(answers)).toEqual({ 201: 20, 202: 10 });
    expect(await count('bulk_enrolments', 'email', email)).toBe(1);
    expect(await test.mails(email)).toHaveLength(1);
  });

  it('enrolling and withdrawing a person at once leaves both records consistent', async () => {
    const course = await makeCourse(test);
    const cohortId = await makeCohort(test);
    const { id, email } = await makePerson(test);
    const enrolment = { email, cohortIds: [cohortId], enrolments: [{ type: 'courses', slug: course.slug }] };
    const answers = await storm(
      Array.from({ length: 15 }, (): Request[] => [
        [enrolPerson, SERVICE, { body: enrolment }],
        [withdrawPerson, SERVICE, { params: { email }, query: { courseSlug: course.slug } }],
      ]).flat(),
    );
    const { 201: enrolled, 200: withdrawn = 0, '404 request.not_found': none = 0, ...others } = tally(answers);
    expect([enrolled, withdrawn + none, others]).toEqual([15, 15, {}]);
    // Whichever came last, both exist or neither.
    const { rows } = await sql<{ record: string | null; place: string | null }>`
      select (select enrolment_status(b.status, b.expires_on) from bulk_enrolments b where b.email = ${email}) as record,
        (select enrolment_status(e.status, e.expires_on) from journey_enrolments e where e.user_id = ${id}) as place`.execute(
      db,
    );
    expect(rows[0]?.record).toBe(rows[0]?.place);
  });

  it('one of several equal rules and records created at once is stored', async () => {
    const course = await makeCourse(test);
    const rule = { type: 'domain', value: 'race.example.gov' };
    const record = { email: `recorded-${newId()}@example.gov`, type: 'courses', slug: course.slug };
    const answers = await storm([
      ...times(15, createAutoApproval, SERVICE, { body: rule }),
      ...times(15, createBulkEnrolment, SERVICE, { body: record }),
    ]);
    expect(tally(answers)).toEqual({ 201: 2, '409 people.rule_exists': 14, '409 request.conflict': 14 });
  });

  it('the newest of reordered events of an entry wins', async () => {
    const id = `event-${newId()}`;
    const headers = { 'x-webhook-key': WEBHOOK_KEY };
    const versions = Array.from({ length: 60 }, (_, nth) => ((nth * 37) % 60) + 1);
    const answers = await storm(
      versions.map((version): Request => {
        const isWithdrawn = version % 7 === 0;
        const topic = `ContentManagement.Entry.${isWithdrawn ? 'unpublish' : 'publish'}`;
        const body = {
          id,
          contentType: 'microcourse',
          version,
          ...(isWithdrawn ? {} : { slug: `version-${version}` }),
        };
        return [indexEntry, {}, { body, headers: { ...headers, 'x-contentful-topic': topic } }];
      }),
    );
    expect(tally(answers)).toEqual({ 204: 60 });
    const { rows } = await sql`select status, version, slug->>'en' as slug from entries where id = ${id}`.execute(db);
    expect(rows).toEqual([{ status: 'published', version: 60, slug: 'version-60' }]);
  });

  it('an enrolment does not stay pending when the address is proven meanwhile', async () => {
    const course = await makeCourse(test);
    const cohortId = await makeCohort(test);
    for (let round = 0; round < 6; round++) {
      const email = `proving-${newId()}@example.gov`;
      await ask(0, createAccount, {}, { body: { name: 'Maya Lund', email } });
      const { code } = await lastMail(test, email, 'sign_up_code');
      const enrolment = { email, cohortIds: [cohortId], enrolments: [{ type: 'courses', slug: course.slug }] };
      const answers = await storm([
        [enrolPerson, SERVICE, { body: enrolment }],
        [confirmSignUp, {}, { body: { email, code } }],
      ]);
      expect(tally(answers)).toEqual({ 200: 1, 201: 1 });
      const { rows } = await sql`
        select b.status, (select count(*) from journey_enrolments e where e.user_id = u.id) as places
        from users u join bulk_enrolments b on b.email = u.email where u.email = ${email}`.execute(db);
      expect(rows).toEqual([{ status: 'enrolled', places: 1 }]);
    }
  });

  it('referring a colleague many times at once sends one mail', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    const email = `referred-${newId()}@example.gov`;
    const body = { email, type: 'courses', slug: course.slug };
    const answers = await storm(times(15, referColleague, maya.as, { body }));
    expect(tally(answers)).toEqual({ 201: 15 });
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await test.mails(email)).toHaveLength(1);
  });

  it('creating an account many times at once makes one, and the others are refused', async () => {
    const email = `made-${newId()}@example.gov`;
    const answers = await storm(times(20, createUserRecord, SERVICE, { body: { email, name: 'Maya Lund' } }));
    expect(tally(answers)).toEqual({ 201: 1, '409 auth.email_taken': 19 });
  });

  it('recording a membership many times at once makes one, counted once', async () => {
    const [maya, community] = [await makePerson(test), await makeCommunity(db)];
    const body = { userId: maya.id, communitySlug: community.slug };
    const answers = await storm(times(20, createUserCommunity, SERVICE, { body }));
    expect(tally(answers)).toEqual({ 201: 20 });
    const { rows } = await sql`
      select c.member_count, (select count(*) from community_members m where m.community_id = c.id) as members
      from communities c where c.id = ${community.id}`.execute(db);
    expect(rows).toEqual([{ member_count: 1, members: 1 }]);
  });
}
