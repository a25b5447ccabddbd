import { expect, test } from 'vitest';
import { MAX_FIELDS, readForm } from './read-form.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
const sent = (body: BodyInit, type: string) =>
  new Request('http://here.invalid/login', { method: 'POST', body, headers: { 'content-type': type } });

async function msToRefuse(body: string, type: string): Promise<number> {
  const begun = performance.now();
  await expect(readForm(sent(body, type))).rejects.toThrow(TypeError);
  return performance.now() - begun;
}

test.each([
  ['a=1&b=two+words&a=%C3%A9&=x&c&%=%zz&?d=?&&e==f&g=%FF;h', `${FORM};charset=UTF-8`],
  ['', FORM],
])('reads the fields of %s like the platform', async (body, type) => {
  expect([...(await readForm(sent(body, type)))]).toEqual([...(await sent(body, type).formData())]);
});

test('reads files', async () => {
  const form = new FormData();
  form.append('intent', 'picture');
  form.append('file', new File([new Uint8Array(2_000_000).fill(45)], 'é".png', { type: 'image/png' }));
  const fields = await readForm(new Request('http://here.invalid/', { method: 'POST', body: form }));
  const file = fields.get('file') as File; // appended above
  expect([fields.get('intent'), file.size, file.type]).toEqual(['picture', 2_000_000, 'image/png']);
});

test('accepts as many fields as a large form has', async () => {
  const body = 'member=a&'.repeat(MAX_FIELDS).slice(0, -1);
  expect((await readForm(sent(body, FORM))).getAll('member')).toHaveLength(MAX_FIELDS);
});

// The platform's parsers use up to ten minutes of CPU for these.
test.each([
  ['names without values', 'a&'.repeat(1_500_000), FORM],
  ['values', 'a=&'.repeat(1_500_000), FORM],
  ['parts', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(100_000) + '--x--\r\n', MULTIPART],
])('refuses millions of %s at once', async (_, body, type) => {
  expect(await msToRefuse(body, type)).toBeLessThan(500);
});

test.each([
  ['text', 'text/plain'],
  ['{"a":1}', 'application/json'],
  ['--x\r\nbroken', MULTIPART],
  ['--x--', 'multipart/form-data'],
])('refuses %s sent as %s, which is not a form', async (body, type) => {
  await expect(readForm(sent(body, type))).rejects.toThrow(TypeError);
});
