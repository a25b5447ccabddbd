import type { z } from 'zod';

type ZodIssue = z.core.$ZodIssue;
/** How the library's own messages begin. */
const DEFAULT_MESSAGE = /^(?:Invalid |Too small|Too big|Unrecognized key)/;

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};
const FORMATS: Record<string, string> = {
  date: 'must be a date, such as 2026-11-21',
  datetime: 'must be an ISO 8601 date and time, such as 2026-11-21T09:30:00Z',
  email: 'must be an e-mail address',
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  url: 'must be a web address',
};

/** Returns an issue's message. The library's own wording is replaced by a sentence that names the field. */
export function inputMessage(issue: ZodIssue, field: string): string {
  const isOurs = issue.code === 'custom' ? issue.message !== 'Invalid input' : !DEFAULT_MESSAGE.test(issue.message);
  return isOurs ? issue.message : `${field} ${predicate(issue)}`;
}

function predicate(issue: ZodIssue): string {
  const isMissing = 'input' in issue && issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing || issue.message.endsWith('received undefined')) return 'is required';
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      if (isMissing) return 'is required';
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return sizeOf(issue.origin, 'at least', issue.minimum, issue.inclusive !== false);
    case 'too_big':
      return sizeOf(issue.origin, 'at most', issue.maximum, issue.inclusive !== false);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the required format';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not contain ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return 'has a key that is not allowed';
    default:
      return isMissing ? 'is required' : 'is not valid';
  }
}

function sizeOf(origin: string, bound: 'at least' | 'at most', limit: number | bigint, isInclusive: boolean): string {
  if (origin === 'string') return `must have ${bound} ${counted(limit, 'character')}`;
  if (origin === 'array' || origin === 'set' || origin === 'map') return `must have ${bound} ${counted(limit, 'item')}`;
  if (isInclusive) return `must be ${bound} ${limit}`;
  return `must be ${bound === 'at least' ? 'greater' : 'less'} than ${limit}`;
}

const counted = (count: number | bigint, unit: string) => `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
