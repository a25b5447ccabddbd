import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { makeReceiver } from '#server/test/push-service.ts';
import { encryptPush, makePushKeys, padded, pushAuthorization } from './push-message.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

it('encrypts the example of RFC 8291 to the same bytes', () => {
  const receiver = {
    publicKey: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    authSecret: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const keys = {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  };
  const record = Buffer.concat([Buffer.from('When I grow up, I want to be a watermelon'), Buffer.from([2])]);
  expect(encryptPush(record, receiver, keys).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('a browser decrypts what was encrypted for it, whatever its length', () => {
  const receiver = makeReceiver();
  for (const length of [0, 1, 1022, 1023, 1024, 3000]) {
    const message = Buffer.alloc(length, 'ä');
    const sent = encryptPush(padded(message), receiver.keys);
    expect(receiver.decrypt(sent)).toEqual(message);
  }
  const sizes = [1, 40, 900].map((length) => encryptPush(padded(Buffer.alloc(length)), receiver.keys).length);
  expect(new Set(sizes).size).toBe(1);
});

it('refuses a key that is no point of the curve', () => {
  const { keys } = makeReceiver();
  expect(() => encryptPush(padded(Buffer.from('x')), { ...keys, publicKey: Buffer.alloc(65, 4) })).toThrow();
});

it('signs for the origin of the push service, for hours', async () => {
  const keys = makePushKeys();
  const now = new Date();
  const to = new URL('https://push.example.org:8443/send/secret');
  const header = await pushAuthorization(keys, to, { subject: 'https://learn.example.gov', now });
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(key).toBe(keys.publicKey);
  const point = bytes(keys.publicKey);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, { audience: 'https://push.example.org:8443' });
  expect(protectedHeader.alg).toBe('ES256');
  expect(payload.sub).toBe('https://learn.example.gov');
  expect(payload.exp! - now.getTime() / 1000).toBeLessThanOrEqual(24 * 3600);
});
