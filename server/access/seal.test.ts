import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSecretKey } from '../outside/secret-key.ts';
import { createSeal } from './seal.ts';

const seal = createSeal('an installation key of many characters');
const secret = Buffer.from('what an app knows');

it('opens a secret for the same owner only', () => {
  const sealed = seal.close(secret, 'maya');
  expect(seal.open(sealed, 'maya')).toEqual(secret);
  expect(seal.close(secret, 'maya').equals(sealed)).toBe(false);
  expect(sealed.includes(secret)).toBe(false);
  expect(seal.open(sealed, 'noor')).toBeUndefined();
  expect(createSeal('another key of as many characters').open(sealed, 'maya')).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(seal.open(changed, 'maya')).toBeUndefined();
  }
  expect(seal.open(Buffer.alloc(3), 'maya')).toBeUndefined();
});

it('hashes equally only for the same owner and key', () => {
  expect(seal.hash('code', 'maya')).toEqual(seal.hash('code', 'maya'));
  expect(seal.hash('code', 'maya').equals(seal.hash('code', 'noor'))).toBe(false);
  expect(createSeal('another').hash('code', 'maya').equals(seal.hash('code', 'maya'))).toBe(false);
});

it('creates one key per installation, however many processes start at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'officium-key-'));
  const path = join(folder, 'secret.key');
  const keys = await Promise.all(Array.from({ length: 8 }, () => readSecretKey(path)));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]?.length).toBeGreaterThanOrEqual(43);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});
