import { fieldsOf, type RecordKind } from './record.format.ts';
import { htmlIn, isStorableHtml } from './stored-html.policy.ts';

/** Far beyond what the product stores, and what the checks below can follow. */
const MAX_DEPTH = 500;

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((each) => isTooDeep(each, left - 1));
}

/** Checks that a line is an object with exactly the fields of its kind, storable values and safe HTML. Returns the first fault. */
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
  const deep = Object.entries(record).find(([, value]) => isTooDeep(value, MAX_DEPTH));
  if (deep) return `${deep[0]} is nested too deeply`;
  const wrong = Object.entries(kind.checked ?? {}).find(
    ([name, isStorable]) => !isStorable((record as Record<string, unknown>)[name]),
  );
  if (wrong) return `${wrong[0]} has a value that this product never stores`;
  const unsafe = Object.entries(record).find(([name, value]) =>
    htmlIn(value, /html/i.test(name)).some((html) => !isStorableHtml(html)),
  );
  return unsafe && `${unsafe[0]} has HTML that this product never stores`;
}
