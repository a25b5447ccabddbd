import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dnsLookup } from './dns-lookup.ts';

const A = 1;
const AAAA = 28;
/** Records of the test name server, as the bytes of its answers. */
const RECORDS: Record<string, Record<number, number[][]>> = {
  'both.example': { [A]: [[93, 184, 216, 34]], [AAAA]: [[0x26, 0x06, ...Array<number>(13).fill(0), 1]] },
  'four.example': {
    [A]: [
      [1, 1, 1, 1],
      [127, 0, 0, 1],
    ],
  },
};

let server: Socket;
let address = '';

beforeAll(async () => {
  server = createSocket('udp4', (question, peer) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.subarray(at + 1, at + 1 + length).toString());
      at += length + 1;
    }
    if (labels[0] === 'silent') return;
    const type = question.readUInt16BE(at + 1);
    const records = RECORDS[labels.join('.')];
    const answers = (records?.[type] ?? []).map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    );
    const head = Buffer.from(question.subarray(0, at + 5));
    head.writeUInt16BE(0x8180 | (records ? 0 : 3), 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    server.send(Buffer.concat([head, ...answers]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const ask = async (name: string) =>
  await new Promise<unknown>((resolve, reject) =>
    dnsLookup({ servers: [address], timeoutMs: 200 })(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found),
    ),
  );

describe('dnsLookup', () => {
  it('returns all IPv4 and IPv6 addresses of a name', async () => {
    expect(await ask('both.example')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606::1', family: 6 },
    ]);
    expect(await ask('four.example')).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  });

  it.each(['none.example', 'silent.example', 'localhost', 'a b'])('rejects %s', async (name) => {
    await expect(ask(name)).rejects.toThrow();
  });
});
