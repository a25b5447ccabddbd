import fc from 'fast-check';
import sharp from 'sharp';

/** Turns the JSON of a body, if any, into a content type and bytes. */
export type Wire = (json: string | undefined) => { type?: string; body?: string | Buffer };

const TYPES = [
  'application/json; charset=utf-8',
  'application/json\t; charset=utf-8',
  ' application/json',
  'application/json;',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'application/json, text/plain',
  'application/vnd.api+json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  '',
  '/',
  'application/json\u00a0',
];
const BODY_TEXTS = [
  '',
  ' ',
  '{',
  '{"a":',
  'null',
  '[]',
  '"text"',
  '1',
  'true',
  '{"a":1}}',
  "{'a':1}",
  '{"a":NaN}',
  '\ufeff{}',
  'a=b',
  '{"a":"\t"}',
  '\u0000',
  '[[[[',
  '--x\r\n\r\n--x--',
];

export const usualWire: Wire = (json) => (json === undefined ? {} : { type: 'application/json', body: json });
/** Ways to send a body, mostly valid. */
export const wires: fc.Arbitrary<Wire> = fc.oneof(
  { weight: 24, arbitrary: fc.constant(usualWire) },
  { weight: 2, arbitrary: fc.constantFrom(...TYPES).map((type): Wire => (json = '{}') => ({ type, body: json })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...BODY_TEXTS).map((body): Wire => () => ({ type: 'application/json', body })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Wire>((json = '{"a":1}') => ({ type: 'application/json', body: json.slice(0, -1) })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Wire>((json = '{"a":1}') => ({
      type: 'application/json',
      body: json.replace('{', '{"email":1,"email":2,'),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Wire>(() => ({
      type: 'application/json',
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    })),
  },
  { weight: 1, arbitrary: fc.constant<Wire>((json = '{}') => ({ body: json })) },
);

const blank = sharp({ create: { width: 9, height: 7, channels: 4, background: 'teal' } });
const [PIXEL, GIF] = await Promise.all([blank.clone().png().toBuffer(), blank.clone().gif().toBuffer()]);
const files = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(PIXEL, GIF) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(PIXEL.subarray(0, 40), PIXEL.subarray(0, 60), Buffer.alloc(0), Buffer.from('<svg/>')),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([PIXEL.subarray(0, 33), bytes])),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
);
/** Multipart forms with a picture or with an invalid file. */
export const uploads: fc.Arbitrary<Wire> = fc
  .record({
    file: files,
    field: fc.constantFrom('file', 'file', 'file', 'files', '', '__proto__', 'file[]'),
    name: fc.constantFrom('a.png', '', '../../x', 'a\0b', '"'.repeat(3), 'é.png'),
    type: fc.constantFrom('image/png', 'image/svg+xml', '', 'text/html', 'x'.repeat(500)),
    parts: fc.constantFrom(1, 1, 1, 0, 2, 50),
    end: fc.constantFrom('--x--\r\n', '--x--\r\n', '', '--y--'),
    header: fc.constantFrom(
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'multipart/form-data; boundary=""',
      'Multipart/Form-Data; Boundary=x',
      'image/png',
      'application/json',
    ),
  })
  .map(({ file, field, name, type, parts, end, header }): Wire => () => {
    const head = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
    const part = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n')]);
    return { type: header, body: Buffer.concat([...Array<Buffer>(parts).fill(part), Buffer.from(end)]) };
  });

const HEADERS: Record<string, string[]> = {
  'accept-language': [
    '',
    '*',
    'fr;q=0',
    'sr-Latn-RS, en;q=0.1',
    'x'.repeat(4_000),
    'en;q=NaN',
    ',,,;;;',
    'ar-u-nu-latn',
    '\u00e9',
    'fr,'.repeat(900),
  ],
  'idempotency-key': ['', ' ', 'k', 'k'.repeat(128), 'k'.repeat(129), "'; --", '\u00e9\u00ff', '\t', '0'],
  cookie: [
    'session=',
    'session=x',
    'locale=%E0%A4%A',
    'locale=__proto__',
    '=;=;;',
    'a=b; session="x"',
    'session=a; session=b',
    `session=${'x'.repeat(5_000)}`,
    '\u00ff=\u00fe',
  ],
  authorization: ['', 'Bearer', 'Bearer  x', 'Basic YTpi', 'bearer \u00e9', `Bearer ${'x'.repeat(4_000)}`],
  origin: ['null', 'http://localhost:3000', 'https://evil.example'],
  'sec-fetch-site': ['cross-site', 'none', 'same-site', ''],
  'x-contentful-topic': [
    'ContentManagement.Entry.publish',
    'ContentManagement.Entry.unpublish',
    'ContentManagement.Entry.delete',
    'ContentManagement.Asset.publish',
    '',
    '..',
    'Entry.constructor',
    'x'.repeat(201),
    '\u00e9',
  ],
  'x-contentful-version': ['0', '7', '-1', '1e3', '999999999999999', '9999999999999999', '', 'x'],
  'x-webhook-key': ['', 'x', '\u00e9'],
  accept: ['text/html', '*/*', 'application/xml;q=1', ''],
  'accept-encoding': ['br', 'identity;q=0', ''],
  range: ['bytes=0-1', 'x'],
  'if-none-match': ['*', '"x"'],
  'x-forwarded-for': ["127.0.0.1', '", '::1', 'x'.repeat(1_000)],
  'x-http-method-override': ['DELETE'],
  'user-agent': ['', 'x'.repeat(3_000), '\u00ff'],
};
const header = fc
  .constantFrom(...Object.keys(HEADERS))
  .chain((name) => fc.constantFrom(...HEADERS[name]!).map((value) => [name, value] as const)); // one of its keys

export const oddHeaders = fc.array(header, { minLength: 1, maxLength: 2 }).map((list) => Object.fromEntries(list));
/** Event headers of the content platform. */
export const TOPICS = fc.record(
  {
    'x-contentful-topic': fc.constantFrom(...HEADERS['x-contentful-topic']!), // defined above
    'x-contentful-version': fc.constantFrom('1', '7', '999999999999999'),
  },
  { requiredKeys: [] },
);
