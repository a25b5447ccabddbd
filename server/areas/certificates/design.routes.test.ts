import type { CertificateDesign } from '@officium/contract/site';
import { correctMyCertificate, issueMyCertificate, verifyCertificate } from '@officium/contract/learner';
import {
  previewCertificate,
  readSiteSettings,
  updateSiteSettings,
  uploadCertificatePicture,
} from '@officium/contract/site-settings';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { completeLessons, enrol, makeCourse } from '#server/test/factories/courses.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

const settings = async () => (await test.call(readSiteSettings, admin.as)).body;
async function design(change: Partial<CertificateDesign>) {
  const { version, identity } = await settings();
  const certificate = { ...identity.certificate, ...change };
  return await test.call(updateSiteSettings, admin.as, { body: { version, identity: { ...identity, certificate } } });
}

async function graduate() {
  const [person, course] = [await makePerson(test, { name: 'Maya Lund' }), await makeCourse(test)];
  await enrol(test, person, course.journey);
  await completeLessons(test, person, course.journey.lessons.slice(0, 3));
  const params = { courseSlug: course.slug, journeySlug: course.journey.slug };
  const { body } = await test.call(issueMyCertificate, person.as, { params, body: { locale: 'de' } });
  return { person, number: body.certificate.verificationUrl.split('/').at(-1) as string };
}

const designOf = async (publicId: string) =>
  (await test.call(verifyCertificate, undefined, { params: { publicId } })).body.certificate.design;
const pdfOf = async (number: string) => String((await test.send('GET', `/certificates/${number}.pdf`)).body);

it('is kept by each certificate as it was when it was issued', async () => {
  const before = await graduate();
  expect(await designOf(before.number)).toBeNull();
  const { headers, payload } = await pictureForm();
  const uploaded = await test.call(uploadCertificatePicture, admin.as, {
    params: { slot: 'signature1' },
    body: payload,
    headers,
  });
  expect(uploaded.status).toBe(201);
  const changed = await design({
    layout: 'frame',
    colour: '#ffc53d',
    signatures: [{ name: 'Amina Okoye', office: { en: 'Director', de: 'Direktorin' } }],
  });
  expect(changed.body.certificateColour).toMatchObject({ isAdjusted: true });

  const first = await graduate();
  const shown = await designOf(first.number);
  expect(shown).toMatchObject({
    colour: changed.body.certificateColour.shown,
    logo: null,
    seal: null,
    signatures: [{ name: 'Amina Okoye', office: 'Direktorin', picture: { url: expect.stringMatching(/\.webp$/) } }],
  });
  const pdf = await pdfOf(first.number);
  expect(pdf).toContain('/Subtype /Image');
  await design({ layout: 'bar', colour: '#0b6e6e', signatures: [] });
  expect(await designOf(first.number)).toEqual(shown);
  expect(await designOf(before.number)).toBeNull();
  expect(await pdfOf(before.number)).not.toContain('/Subtype /Image');
  const corrected = await test.call(correctMyCertificate, first.person.as, {
    params: { publicId: first.number },
    body: { nameOnCertificate: 'Maya Holm' },
  });
  expect(await designOf(corrected.body.certificate.verificationUrl.split('/').at(-1))).toEqual(shown);
  expect(await designOf((await graduate()).number)).toMatchObject({ colour: '#0b6e6e', signatures: [] });
});

it('can be previewed without being stored, by administrators', async () => {
  const { version } = await settings();
  const query = { layout: 'bar', colour: '#8a1c1c', name1: 'Amina Okoye', office1: 'Director', locale: 'ar' };
  const { status, headers, body } = await test.call(previewCertificate, admin.as, { query });
  expect([status, headers['content-type'], String(body).slice(0, 8)]).toEqual([200, 'application/pdf', '%PDF-1.7']);
  expect((await settings()).version).toBe(version);
  for (const wrong of [{ layout: 'round' }, { colour: 'red' }, { name1: 'x'.repeat(81) }])
    expect((await test.call(previewCertificate, admin.as, { query: wrong })).status).toBe(400);
  expect((await test.call(previewCertificate, (await makePerson(test)).as)).status).toBe(403);
  expect((await test.call(previewCertificate, undefined)).status).toBe(401);
});

it('refuses pictures that were not uploaded, unknown places and files that are no pictures', async () => {
  const seal = { key: `${'0'.repeat(64)}.webp`, width: 10, height: 10 };
  const { identity } = await settings();
  expect((await design({ pictures: { ...identity.certificate.pictures, seal } })).status).toBe(400);
  const { headers, payload } = await pictureForm();
  const upload = (slot: string, body: object) =>
    test.call(uploadCertificatePicture, admin.as, { params: { slot }, body, headers });
  expect((await upload('crown', payload)).status).toBe(400);
  expect((await upload('seal', Buffer.from('no picture'))).status).toBe(400);
});
