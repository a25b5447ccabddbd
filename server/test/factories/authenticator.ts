import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Options = { challenge: string };
type Site = { origin?: string; rpId?: string; isVerified?: boolean };

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** A device with one passkey per Web Authentication: ES256, no attestation. */
export function makeAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const [x, y] = [Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.y ?? '', 'base64url')];
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;

  const clientData = (type: string, { challenge }: Options, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (rpId: string, flags: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest]);
  };
  const shared = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };

  return {
    make(options: unknown, { origin = 'http://localhost:3000', rpId = 'localhost', isVerified = true }: Site = {}) {
      const coseKey = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, coseKey]);
      const data = authData(rpId, isVerified ? 0x45 : 0x41, attested);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      const clientDataJSON = clientData('webauthn.create', options as Options, origin).toString('base64url');
      const response = { clientDataJSON, attestationObject: attestationObject.toString('base64url') };
      return { ...shared, response: { ...response, transports: ['internal'] } };
    },
    prove(options: unknown, { origin = 'http://localhost:3000', rpId = 'localhost', isVerified = true }: Site = {}) {
      counter += 1;
      const client = clientData('webauthn.get', options as Options, origin);
      const data = authData(rpId, isVerified ? 0x05 : 0x01);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}
