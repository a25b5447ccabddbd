import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { portOf } from './process.ts';

/** A browser's keys, written against RFC 8291 and 8188 without the product's code. */
export function makeReceiver() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const keys = { publicKey: pair.getPublicKey(), authSecret: randomBytes(16) };
  return {
    keys,
    decrypt(body: Buffer): Buffer {
      const [salt, keyLength] = [body.subarray(0, 16), body[20]!];
      const sender = body.subarray(21, 21 + keyLength);
      const sealed = body.subarray(21 + keyLength);
      if (sealed.length > body.readUInt32BE(16)) throw new Error('more than one record');
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.publicKey, sender]);
      const hkdf = (ikm: Buffer, by: Buffer, text: Buffer | string, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, by, text, length));
      const ikm = hkdf(pair.computeSecret(sender), keys.authSecret, info, 32);
      const key = hkdf(ikm, salt, 'Content-Encoding: aes128gcm\0', 16);
      const nonce = hkdf(ikm, salt, 'Content-Encoding: nonce\0', 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      const end = plain.lastIndexOf(2);
      if (end === -1 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('not the last record');
      return plain.subarray(0, end);
    },
  };
}

export type Pushed = { path: string; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** A local push service: keeps what it gets and answers with the status set for a path, else 201. */
export async function startPushService() {
  const got: Pushed[] = [];
  const statuses = new Map<string, number>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      got.push({ path, headers: request.headers, body: Buffer.concat(parts) });
      response.writeHead(statuses.get(path) ?? 201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${portOf(server)}`;
  return {
    host,
    got,
    statuses,
    /** A new browser with a subscription here. */
    subscribe(path = `/send/${randomBytes(8).toString('hex')}`) {
      const receiver = makeReceiver();
      return {
        ...receiver,
        path,
        body: {
          endpoint: `http://${host}${path}`,
          keys: {
            p256dh: receiver.keys.publicKey.toString('base64url'),
            auth: receiver.keys.authSecret.toString('base64url'),
          },
        },
        /** The messages for it, decrypted. */
        messages: () =>
          got.filter((pushed) => pushed.path === path).map(({ body }) => JSON.parse(String(receiver.decrypt(body)))),
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The subscription of a browser at a public push service, which is never called. */
export function pushSubscription() {
  const { keys } = makeReceiver();
  return {
    endpoint: `https://push.example.org/send/${randomUUID()}`,
    keys: { p256dh: keys.publicKey.toString('base64url'), auth: keys.authSecret.toString('base64url') },
  };
}
