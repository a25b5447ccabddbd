import { addCohortUser, createUpload, listCohortInvitations, listCohortUsers } from '@officium/contract/admin';
import { withdrawInvitation } from '@officium/contract/cohorts';
import { createAccount } from '@officium/contract/auth';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction, newId } from '#server/db/client.ts';
import { sendMailsJob } from '#server/mail/outbox.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { eraseUser, getUser, proveAddress } from '#server/areas/auth/user.service.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator', locale: 'it' });

const add = (id: string, body: unknown) => test.call(addCohortUser, admin.as, { params: { id }, body });
const users = (id: string, query: Record<string, unknown> = {}) =>
  test.call(listCohortUsers, admin.as, { params: { id }, query });
const invitations = (id: string, query: Record<string, unknown> = {}) =>
  test.call(listCohortInvitations, admin.as, { params: { id }, query });

async function prove(userId: string): Promise<void> {
  await inTransaction(test.ctx.db, async (trx) => {
    const user = (await getUser(trx, userId))!; // just created
    await proveAddress(test.ctx, trx, user, user.email!); // the account has an address
  });
}

describe('addCohortUser', () => {
  it('adds a proven account as a member once, without a mail', async () => {
    const id = await makeCohort(test);
    const person = await makePerson(test);
    for (let nth = 0; nth < 2; nth++) expect((await add(id, { email: person.email.toUpperCase() })).status).toBe(204);
    const listed = await users(id);
    expect(listCohortUsers.replies[200].parse(listed.body)).toEqual(listed.body);
    expect(listed.body).toEqual({
      users: [{ id: person.id, email: person.email, name: person.name, joinedAt: expect.any(String) }],
    });
    expect(await test.mails(person.email)).toEqual([]);
  });

  it('invites other addresses with one mail, in the user’s language if known', async () => {
    const id = await makeCohort(test);
    const unproven = await makePerson(test, { isProven: false, locale: 'pl' });
    for (const email of ['stranger@example.gov', unproven.email, 'Stranger@example.gov'])
      expect((await add(id, { email })).status).toBe(204);
    const listed = await invitations(id);
    expect(listCohortInvitations.replies[200].parse(listed.body)).toEqual(listed.body);
    expect(listed.body).toMatchObject({
      users: [
        { email: 'stranger@example.gov', name: '' },
        { email: unproven.email, name: unproven.name },
      ],
      total: 2,
    });
    const mails = await test.mails('stranger@example.gov');
    expect(mails).toMatchObject([{ kind: 'cohort_invitation', locale: 'it' }]);
    expect(mails[0]?.body_text).toContain('http://localhost:3000/signup?email=stranger%40example.gov');
    expect(await test.mails(unproven.email)).toMatchObject([{ locale: 'pl' }]);
  });

  it('names what waits and by when, without anything that mail programs would link', async () => {
    const letters = await makeCourse(test, { title: { en: 'Letters', it: 'Lettere' } });
    const tricky = await makeCourse(test, { title: { en: 'Visit <b>evil.example.com</b>' } });
    const withdrawn = await makeCourse(test, { title: { en: 'Gone' } });
    const id = await makeCohort(test, { products: [tricky.id, letters.id, withdrawn.id] });
    await sql`update cohort_products set due_on = '2030-05-31' where entry_id = ${letters.id}`.execute(test.ctx.db);
    await sql`update entries set status = 'withdrawn' where id = ${withdrawn.id}`.execute(test.ctx.db);
    await add(id, { email: 'informed@example.gov' });
    const [mail] = await test.mails('informed@example.gov');
    expect(mail?.subject).toBe('City of Example la invita su Officium');
    expect(mail?.body_text).toContain('La aspettano:\n– Lettere, entro il 31 maggio 2030\n– Visit <b>…');
    expect(mail?.body_html).toContain('La aspettano:<br>– Lettere');
    expect(mail?.body_html).not.toMatch(/<b>|evil/);
    expect(mail?.body_text).not.toMatch(/evil|Gone/);

    const plain = await makeCohort(test);
    await add(plain, { email: 'uninformed@example.gov' });
    expect((await test.mails('uninformed@example.gov'))[0]?.body_text).not.toContain('–');
  });

  it.each([
    ['help@example.gov', 'Per domande si rivolga a help@example.gov.'],
    ['Ada, room 4, www.evil.example.com', 'Per domande si rivolga a Ada, room 4,'],
    ['https://evil.example.com/login?as=help@example.gov', 'Per domande si rivolga a …'],
    [' ', undefined],
  ])('names the support contact of the cohort: %s', async (contact, told) => {
    const id = await makeCohort(test);
    await test.ctx.db.updateTable('cohorts').set({ support_contact: contact }).where('id', '=', id).execute();
    const email = `asks-${contact.length}@example.gov`;
    await add(id, { email });
    const text = (await test.mails(email))[0]?.body_text ?? '';
    if (told) expect(text).toContain(told);
    else expect(text).not.toContain('Per domande');
    expect(text).not.toContain('evil');
  });

  it('mails one address three times a day at most, however often it is invited and withdrawn', async () => {
    const id = await makeCohort(test);
    const email = 'again@example.gov';
    for (let nth = 0; nth < 5; nth++) {
      await add(id, { email });
      await sql`update mails set status = 'sent' where recipient = ${email}`.execute(test.ctx.db);
      await sql`delete from cohort_invitations where email = ${email}`.execute(test.ctx.db);
    }
    expect(await test.mails(email)).toHaveLength(3);
  });

  it('counts a mail that is withdrawn while it is being sent', async () => {
    const id = await makeCohort(test);
    const email = 'bombed@example.gov';
    let delivered = 0;
    const withdraw = async () => {
      delivered += 1;
      const { users: open } = (await invitations(id)).body;
      const params = { id, invitationId: open[0].id };
      expect((await test.call(withdrawInvitation, admin.as, { params })).status).toBe(204);
    };
    for (let nth = 0; nth < 5; nth++) {
      await add(id, { email });
      const { rows } = await sql<{ id: string }>`
        select id from mails where recipient = ${email} and status = 'queued'`.execute(test.ctx.db);
      const ctx = { ...test.ctx, mailer: { send: withdraw, close() {} } };
      await sendMailsJob.run(ctx, { mailIds: rows.map((row) => row.id) });
      await sql`delete from cohort_invitations where email = ${email}`.execute(test.ctx.db);
    }
    expect(delivered).toBe(3);
    expect((await test.mails(email)).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
  });

  it('links the member to the given upload, which must belong to the cohort', async () => {
    const id = await makeCohort(test);
    const upload = await test.call(createUpload, admin.as, {
      params: { id },
      body: { slug: 'one', emails: ['named@example.gov'] },
    });
    const person = await makePerson(test);
    const { uploadId } = upload.body;
    expect((await add(id, { email: person.email, uploadId })).status).toBe(204);
    expect((await users(id)).body.users).toMatchObject([{ id: person.id, uploadId }]);
    for (const [cohort, wrong] of [
      [id, newId()],
      [await makeCohort(test), uploadId],
    ])
      expect(await add(cohort, { email: person.email, uploadId: wrong })).toMatchObject({
        status: 400,
        body: { message: 'This cohort has no such upload' },
      });
  });

  it('adds and invites once for parallel requests', async () => {
    const id = await makeCohort(test);
    const person = await makePerson(test);
    const calls = Array.from({ length: 20 }, (_, nth) =>
      add(id, { email: nth % 2 ? person.email : 'raced@example.gov' }),
    );
    expect((await Promise.all(calls)).every((reply) => reply.status === 204)).toBe(true);
    expect((await users(id, { count: true })).body).toEqual({ total: 1 });
    expect((await invitations(id)).body.total).toBe(1);
    expect(await test.mails('raced@example.gov')).toHaveLength(1);
  });

  it('refuses an inactive account, a malformed address and an unknown cohort', async () => {
    const id = await makeCohort(test);
    const inactive = await makePerson(test, { role: 'inactive' });
    expect(await add(id, { email: inactive.email })).toMatchObject({
      status: 409,
      body: { code: 'admin.inactive_account' },
    });
    for (const body of [{}, { email: 'nobody' }, { email: 5 }, { email: 'a\0b@example.gov' }, { email: null }])
      expect((await add(id, body)).status).toBe(400);
    expect((await add(newId(), { email: inactive.email })).status).toBe(404);
  });
});

describe('an invited address', () => {
  it('becomes a member when its owner proves it', async () => {
    const cohorts = [await makeCohort(test), await makeCohort(test)];
    const email = 'later@example.gov';
    for (const id of cohorts) await add(id, { email });
    expect((await test.call(createAccount, {}, { body: { email, name: 'Later' } })).status).toBeLessThan(300);
    const [row] = await test.ctx.db.selectFrom('users').select('id').where('email', '=', email).execute();
    expect((await users(cohorts[0]!)).body.users).toEqual([]);
    await prove(row!.id);
    for (const id of cohorts) {
      expect((await users(id)).body.users).toMatchObject([{ email }]);
      expect((await invitations(id)).body.total).toBe(0);
    }
  });

  it('ends as one member or one invitation under concurrency', async () => {
    const id = await makeCohort(test);
    const people = await Promise.all(
      Array.from({ length: 10 }, () => makePerson(test, { isProven: false, role: 'non-public-servant' })),
    );
    await Promise.all(people.flatMap((person) => [add(id, { email: person.email }), prove(person.id)]));
    expect((await users(id, { count: 'true' })).body).toEqual({ total: 10 });
    expect((await invitations(id)).body.total).toBe(0);
  });
});

it('is in no cohort after its account is erased', async () => {
  const id = await makeCohort(test);
  const person = await makePerson(test);
  await add(id, { email: person.email });
  await inTransaction(test.ctx.db, (trx) => eraseUser(test.ctx, trx, person.id));
  expect((await users(id)).body).toEqual({ users: [] });
});

describe('listCohortUsers', () => {
  it('pages through all members once and counts them', async () => {
    const id = await makeCohort(test);
    const ids: string[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const person = await makePerson(test);
      await putInCohort(test, id, person);
      ids.push(person.id);
    }
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const page = await users(id, { pageSize: 3, ...(token === undefined ? {} : { continuationToken: token }) });
      expect(page.status).toBe(200);
      seen.push(...page.body.users.map((user: { id: string }) => user.id));
      token = page.body.continuationToken;
    } while (token !== undefined);
    expect(seen).toEqual(ids);
    expect((await users(id, { count: 'true' })).body).toEqual({ total: 7 });
    expect((await users(id, { pageSize: 7 })).body).not.toHaveProperty('continuationToken');
  });

  it('shows every continuous member once while others join and leave between pages', async () => {
    const id = await makeCohort(test);
    const people: TestPerson[] = [];
    for (let nth = 0; nth < 9; nth += 1) {
      const person = await makePerson(test);
      await putInCohort(test, id, person);
      people.push(person);
    }
    const leave = async (nth: number) =>
      await test.ctx.db.deleteFrom('cohort_members').where('user_id', '=', people[nth]!.id).execute(); // the cohort has nine members
    const page = async (continuationToken?: string) =>
      (await users(id, { pageSize: 3, ...(continuationToken ? { continuationToken } : {}) })).body;
    const first = await page();
    for (const nth of [0, 2, 3]) await leave(nth); // one already seen, the one in the token, and one not seen yet
    const late = await makePerson(test);
    await putInCohort(test, id, late);
    const second = await page(first.continuationToken);
    await leave(8);
    const third = await page(second.continuationToken);
    const seen = [first, second, third].flatMap(({ users }) => users.map((user: { id: string }) => user.id));
    expect(seen).toEqual([...[0, 1, 2, 4, 5, 6, 7].map((nth) => people[nth]!.id), late.id]);
    expect(third).not.toHaveProperty('continuationToken');
    expect((await page(first.continuationToken)).users).toHaveLength(3); // a token can be reused
  });

  it('refuses a changed or made-up token, and one of another cohort', async () => {
    const cohorts = [await makeCohort(test), await makeCohort(test)] as const;
    for (const person of [await makePerson(test), await makePerson(test)])
      for (const id of cohorts) await putInCohort(test, id, person);
    const { continuationToken: token } = (await users(cohorts[0], { pageSize: 1 })).body;
    expect((await users(cohorts[0], { continuationToken: token })).status).toBe(200);
    expect((await users(cohorts[1], { continuationToken: token })).status).toBe(400);
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect([at, (await users(cohorts[0], { continuationToken: changed })).status]).toEqual([at, 400]);
    }
    for (const made of ['', 'x', `${token}=`, `${token}A`, 'x'.repeat(500), '{"a":1}'])
      expect((await users(cohorts[0], { continuationToken: made })).status).toBe(400);
  });

  it.each([{ pageSize: 0 }, { pageSize: 101 }, { pageSize: 'x' }, { count: 'maybe' }])('refuses %j', async (query) => {
    expect((await users(await makeCohort(test), query)).status).toBe(400);
  });

  it('returns 404 for an unknown cohort', async () => {
    expect((await users(newId())).status).toBe(404);
    expect((await users(newId(), { count: 'true' })).status).toBe(404);
  });
});

describe('listCohortInvitations', () => {
  it('pages invitations, oldest first', async () => {
    const id = await makeCohort(test);
    for (const name of ['c', 'a', 'b']) await add(id, { email: `page-${name}@example.gov` });
    expect((await invitations(id, { limit: 1, after: 1 })).body).toMatchObject({
      users: [{ email: 'page-a@example.gov' }],
      total: 3,
    });
  });

  it.each([{ limit: 0 }, { limit: 101 }, { after: -1 }, { after: 'x' }])('refuses %j', async (query) => {
    expect((await invitations(await makeCohort(test), query)).status).toBe(400);
  });

  it('returns 404 for an unknown cohort', async () => {
    expect((await invitations(newId())).status).toBe(404);
  });
});
