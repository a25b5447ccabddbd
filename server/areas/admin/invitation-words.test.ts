import { addCohortUser, createUpload } from '@officium/contract/admin';
import { resendInvitations } from '@officium/contract/cohorts';
import { previewInvitationMail, readCohortSettings, updateCohortSettings } from '@officium/contract/cohort-settings';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });
const onCohort = async (endpoint: Parameters<typeof test.call>[0], id: string, body?: object) =>
  await test.call(endpoint, admin.as, { params: { id }, ...(body ? { body } : {}) });

const WORDS = 'Dear colleagues,\n\n<b>welcome</b> & see www.ministry.example/start or ask Nora.';
const QUOTED =
  '\n\nCity of Example writes:\n> Dear colleagues,\n>\n> <b>welcome</b> & see … or ask Nora.\n\nCreate an account';

it('quotes the message in every invitation: of one person, an upload and a mail sent again', async () => {
  const id = await makeCohort(test);
  expect((await onCohort(updateCohortSettings, id, { invitationWords: ` ${WORDS} ` })).body.invitationWords).toBe(
    WORDS,
  );
  await onCohort(addCohortUser, id, { email: 'one.words@example.gov' });
  await onCohort(createUpload, id, { slug: 'words', emails: ['list.words@example.gov'] });
  await test.drain();
  for (const email of ['one.words@example.gov', 'list.words@example.gov']) {
    const [mail] = await test.mails(email);
    expect(mail?.body_text).toContain(QUOTED);
    expect(mail?.body_html).toContain('&#60;b&#62;welcome&#60;/b&#62; &#38; see');
  }
  await sql`update mails set created_at = now() - interval '2 days'`.execute(db);
  await sql`update cohort_invitations set created_at = now() - interval '2 days'`.execute(db);
  await onCohort(updateCohortSettings, id, { invitationWords: 'Second try.' });
  await onCohort(resendInvitations, id, {});
  await test.drain();
  expect((await test.mails('one.words@example.gov')).map(({ body_text }) => /> .*/.exec(body_text)?.[0])).toEqual(
    expect.arrayContaining(['> Dear colleagues,', '> Second try.']),
  );
});

it('previews the mail with the saved message or another one, and changes nothing', async () => {
  const id = await makeCohort(test);
  const plain = (await onCohort(previewInvitationMail, id, {})).body;
  expect(plain.paragraphs.join()).not.toContain('writes:');
  const { body } = await onCohort(previewInvitationMail, id, { invitationWords: 'Hello from Nora.' });
  expect(body.subject).toBe('City of Example invites you to Officium');
  expect(body.paragraphs).toContain('City of Example writes:\n> Hello from Nora.');
  expect((await onCohort(readCohortSettings, id)).body.invitationWords).toBeNull();
  await onCohort(updateCohortSettings, id, { invitationWords: 'Saved.' });
  expect((await onCohort(previewInvitationMail, id, {})).body.paragraphs).toContain(
    'City of Example writes:\n> Saved.',
  );
  expect((await onCohort(previewInvitationMail, id, { invitationWords: null })).body).toEqual(plain);
  expect((await onCohort(previewInvitationMail, newId(), {})).status).toBe(404);
});

it('keeps other settings, removes an empty message, bounds its length and leaves it out of the audit log', async () => {
  const id = await makeCohort(test);
  await onCohort(updateCohortSettings, id, { remindsOfDueDates: false });
  await onCohort(updateCohortSettings, id, { invitationWords: 'Call Nora.' });
  expect((await onCohort(readCohortSettings, id)).body).toMatchObject({ remindsOfDueDates: false });
  expect((await onCohort(updateCohortSettings, id, { invitationWords: '  ' })).body.invitationWords).toBeNull();
  expect((await onCohort(updateCohortSettings, id, { invitationWords: 'x'.repeat(2001) })).status).toBe(400);
  expect((await onCohort(updateCohortSettings, id, { invitationWords: '𝔘'.repeat(2000) })).status).toBe(200);
  const { rows } = await sql<{ detail: object }>`select detail from audit_log where object = ${id}`.execute(db);
  expect(JSON.stringify(rows)).toContain('invitationWords');
  expect(JSON.stringify(rows)).not.toMatch(/Nora|𝔘/);
});
