import { LISTED_KINDS } from '@officium/contract/authoring';
import { z } from 'zod';
import type { ListPosition } from './piece-list.repository.ts';

const Position = z.tuple([z.string(), z.string(), z.enum(LISTED_KINDS), z.string()]);

/** A position in a list, as a token that is valid for the same order only. */
export function writePosition({ rank, kind, key }: ListPosition, order: string): string {
  return Buffer.from(JSON.stringify([order, rank, kind, key])).toString('base64url');
}

export function readPosition(token: string, order: string): ListPosition | undefined {
  const { data } = Position.safeParse(parsed(Buffer.from(token, 'base64url').toString()));
  if (!data || data.join('').includes('\0')) return undefined;
  const [of, rank, kind, key] = data;
  return of === order ? { rank, kind, key } : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
