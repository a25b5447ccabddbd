import { describe, expect, it } from 'vitest';
import { isFetchable, isPublicAddress } from './public-address.ts';

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1'])(
    'accepts %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '192.0.0.192',
    '192.88.99.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1.1.1.1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '5f00::1',
    '',
    'localhost',
    'nonsense',
  ])('rejects %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('isFetchable', () => {
  const allow = ['intranet.example:8080', '[::1]:80'];
  const check = (address: string) => isFetchable(new URL(address), allow);

  it.each([
    'http://example.org/',
    'https://example.org/a?b',
    'http://example.org:443/',
    'https://1.1.1.1/',
    'http://[2606:4700::1111]/',
    'http://intranet.example:8080/',
    'http://[::1]/',
  ])('accepts %s', (address) => expect(check(address)).toBe(true));

  it.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://example.org:8080/',
    'http://user@example.org/',
    'http://:secret@example.org/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://0/',
    'http://①②⑦.⓪.⓪.①/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://intranet.example:8081/../',
    'https://[::1]/',
  ])('rejects %s', (address) => expect(check(address)).toBe(false));
});
