import { fieldsOf, type RecordKind } from './record.format.ts';
import { htmlIn, isStorableHtml } from './stored-html.policy.ts';

/** Checks that a line is an object with exactly the fields of its kind, and safe HTML. Returns the first fault. */
export function faultOfLine(kind: RecordKind, line: string): string | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return 'is not an object';
  const wanted = fieldsOf(kind).map(({ name }) => name);
  const missing = wanted.find((name) => !Object.hasOwn(record, name));
  if (missing !== undefined) return `${missing} is missing`;
  const unknown = Object.keys(record).find((name) => !wanted.includes(name));
  if (unknown !== undefined) return `${unknown.slice(0, 80)} is unknown`;
  const unsafe = Object.entries(record).find(([name, value]) =>
    htmlIn(value, /html/i.test(name)).some((html) => !isStorableHtml(html)),
  );
  return unsafe && `${unsafe[0]} has HTML that this product never stores`;
}
