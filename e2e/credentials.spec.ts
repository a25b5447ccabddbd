import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visit, visitAs } from './visitor.ts';

const COURSE = 'plain-language';
const JOURNEY = 'write-to-be-understood';
const OWN = `/me/learning/${COURSE}/${JOURNEY}/certificate`;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Completes a course through the API. */
async function complete({ request }: { request: Page['request'] }): Promise<void> {
  const { course } = await (await request.get(`/api/learner/courses/${COURSE}`)).json();
  const journey = course.journeys.find(({ slug }: { slug: string }) => slug === JOURNEY);
  const options = { headers: SAME_SITE };
  const joined = await request.post('/api/learner/learners/me/journeys', {
    ...options,
    data: { courseSlug: COURSE, journeySlug: JOURNEY },
  });
  expect(joined.ok(), await joined.text()).toBe(true);
  for (const { slug } of journey.sections.flatMap(({ lessons }: { lessons: object[] }) => lessons)) {
    const path = `/api/learner/me/courses/${COURSE}/journeys/${JOURNEY}/lessons/${slug}/completion`;
    const done = await request.put(path, options);
    expect(done.ok(), await done.text()).toBe(true);
  }
}

it('a certificate can be verified as a credential and as a file, and its name can be corrected', async () => {
  const { page, context, faults } = await visitAsNewcomer('Noor Visser');
  await complete(context);
  await page.goto(OWN);
  await page.getByLabel('Name on the certificate').fill('Noor Viser');
  await button(page, 'Issue my certificate').click();
  await page.getByText('Your certificate has been issued.').waitFor();
  await page.getByRole('link', { name: 'Verification page' }).click();
  await page.getByText('This certificate is valid').waitFor();
  const misspelt = new URL(page.url()).pathname;

  // Anyone with the certificate can verify it, also without JavaScript.
  const stranger = await visit({ javaScriptEnabled: false });
  await stranger.page.goto(misspelt);
  const { request } = stranger.context;
  const jwt = await (await request.get(`${misspelt}.jwt`)).text();
  const keys = createLocalJWKSet(named(await (await request.get('/credentials/keys')).json(), jwt));
  const { payload } = await jwtVerify(jwt, keys);
  expect(payload).toMatchObject({ type: ['VerifiableCredential', 'OpenBadgeCredential'] });
  const pdf = await (await request.get(`${misspelt}.pdf`)).body();
  const compare = async (buffer: Buffer) => {
    await stranger.page.getByLabel('The certificate (PDF)').setInputFiles({
      name: 'certificate.pdf',
      mimeType: 'application/pdf',
      buffer,
    });
    await button(stranger.page, 'Compare').click();
  };
  await compare(pdf);
  await stranger.page.getByText('This file is genuine').waitFor();
  await compare(Buffer.from(pdf.toString('latin1').replace('Officium', 'Officiam'), 'latin1'));
  await stranger.page.getByText('We did not issue this file').waitFor();
  await button(stranger.page, 'Compare').click();
  await stranger.page.getByText('There is a problem').waitFor();

  await page.goto(OWN);
  await page.getByLabel('Name on the certificate').fill('Noor Visser');
  await button(page, 'Correct the name').click();
  await page.getByText('The name has been corrected').waitFor();
  await stranger.page.goto(misspelt);
  await stranger.page.getByText('A corrected certificate has replaced it.').waitFor();
  expect(await stranger.page.getByRole('link', { name: /Credential/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Verification page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Noor Visser' }).waitFor();
  const corrected = new URL(page.url()).pathname;

  const admin = await visitAs('admin', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
  await admin.page.goto(`${corrected}?locale=en`);
  await admin.page.getByText('Revoke this certificate').click();
  expect(await axeFaults(admin.page)).toEqual([]);
  expect(await isTooWide(admin.page)).toBe(false);
  await admin.page.getByLabel('It was issued in error').check();
  await button(admin.page, 'Revoke it').click();
  await admin.page.getByText('It had been issued in error.').waitFor();
  expect((await request.get(`${corrected}.jwt`)).status()).toBe(409);
  expect([...faults, ...admin.faults]).toEqual([]);
  await Promise.all([context.close(), stranger.context.close(), admin.context.close()]);
});

/** Rewrites key ids as URLs, as credentials name them. */
function named({ keys }: JSONWebKeySet, jwt: string): JSONWebKeySet {
  const { kid: address = '' } = decodeProtectedHeader(jwt);
  return { keys: keys.map((key) => ({ ...key, kid: address.replace(/[^/]+$/, key.kid ?? '') })) };
}
