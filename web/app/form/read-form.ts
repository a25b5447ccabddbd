/** More than any form of ours has. */
export const MAX_FIELDS = 5_000;

/**
 * The fields of a form that was sent, as `request.formData()` reads them, but in time that grows with its size alone:
 * the platform needs minutes for a few megabytes of `a&a&a`. Throws a TypeError for what is no form and for too many fields.
 */
export async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  if (/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return readPairs(await request.text());
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new TypeError('The body is no form');
  const bytes = await request.arrayBuffer();
  requireFew(bytes, `--${boundary}`);
  return await new Response(bytes, { headers: { 'content-type': type } }).formData();
}

function readPairs(text: string): FormData {
  const pairs = text.split('&', MAX_FIELDS + 1);
  if (pairs.length > MAX_FIELDS) throw tooMany();
  const fields = new FormData();
  // One pair at a time: many names without a value take URLSearchParams a time that grows with the square of their number.
  for (const pair of pairs) for (const [name, value] of new URLSearchParams(`?${pair}`)) fields.append(name, value);
  return fields;
}

/** Counts the parts of a multipart form before any of them is read. */
function requireFew(bytes: ArrayBuffer, delimiter: string): void {
  const body = Buffer.from(bytes);
  let count = 0;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    count += 1;
    if (count > MAX_FIELDS + 1) throw tooMany(); // one more stands at the end
  }
}

const tooMany = () => new TypeError(`The form has more than ${MAX_FIELDS} fields`);
