import { z } from 'zod';
import type { FilePosition } from './media-list.repository.ts';

const Position = z.tuple([
  z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  z.string().regex(/^[0-9a-f]{64}\.[a-z0-9]+$/),
]);

/** A position in the library, as a token. */
export function writePosition({ at, key }: FilePosition): string {
  return Buffer.from(JSON.stringify([at, key])).toString('base64url');
}

export function readPosition(token: string): FilePosition | undefined {
  const { data } = Position.safeParse(parsed(Buffer.from(token, 'base64url').toString()));
  if (!data || !isTime(data[0])) return undefined;
  return { at: data[0], key: data[1] };
}

/** Whether such a day and hour exist; the database refuses others. */
function isTime(at: string): boolean {
  const time = new Date(at);
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === at.slice(0, 19);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The text to search for: of a whole address only the key, which is all that is stored. */
export function searched(q: string | undefined): string | undefined {
  return /[0-9a-f]{64}\.[a-z0-9]+/.exec(q ?? '')?.[0] ?? (q || undefined);
}
