import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { openSigningKey, readPrivateKey } from './signing-key.ts';

const folder = await mkdtemp(join(tmpdir(), 'officium-key-'));
afterAll(() => rm(folder, { recursive: true }));

describe('the signing key for credentials', () => {
  it('is created once and readable by its owner only, when many processes start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => openSigningKey(folder)));
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
    expect(await readdir(folder)).toEqual(['credential-key.pem']);
    expect((await stat(join(folder, 'credential-key.pem'))).mode & 0o777).toBe(0o600);
    expect((await openSigningKey(folder)).kid).toBe(keys[0]?.kid);
  });

  it('has its thumbprint as id and creates signatures that others can verify', async () => {
    const { kid, publicJwk, sign } = await openSigningKey(folder);
    expect(kid).toBe(await calculateJwkThumbprint(publicJwk));
    const { payload, protectedHeader } = await compactVerify(
      await sign({ kid: 'x', typ: 'JWT' }, { name: 'Ćirić' }),
      await importJWK(publicJwk, 'EdDSA'),
    );
    expect([protectedHeader, new TextDecoder().decode(payload)]).toEqual([
      { alg: 'EdDSA', kid: 'x', typ: 'JWT' },
      '{"name":"Ćirić"}',
    ]);
  });

  it('can be configured as PEM, as one-line PEM or as a JWK', async () => {
    const { kid } = await openSigningKey(folder);
    const pem = await readFile(join(folder, 'credential-key.pem'), 'utf8');
    const jwk = JSON.stringify(readPrivateKey(pem).export({ format: 'jwk' }));
    for (const given of [pem, pem.replaceAll('\n', '\\n'), jwk])
      expect((await openSigningKey('/nowhere', readPrivateKey(given))).kid).toBe(kid);
  });

  it('rejects keys other than Ed25519', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const given of [pem, '{}', 'secret', '']) expect(() => readPrivateKey(given)).toThrow();
  });
});
