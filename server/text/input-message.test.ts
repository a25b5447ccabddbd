import { expect, test } from 'vitest';
import { z } from 'zod';
import { inputMessage } from './input-message.ts';

const messageOf = (schema: z.ZodType, value: unknown) => {
  const issue = schema.safeParse(value, { reportInput: true }).error?.issues[0];
  return issue && inputMessage(issue, 'size');
};

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'size is required'],
  [z.enum(['a', 'b']), undefined, 'size is required'],
  [z.union([z.string(), z.number()]), undefined, 'size is required'],
  [z.string(), 7, 'size must be a text'],
  [z.int(), 1.5, 'size must be a whole number'],
  [z.boolean(), 'x', 'size must be true or false'],
  [z.array(z.string()), {}, 'size must be a list'],
  [z.enum(['a', 'b']), 'c', 'size must be one of a, b'],
  [z.literal(1), 2, 'size must be 1'],
  [z.string().min(1), '', 'size must have at least 1 character'],
  [z.string().max(3), 'abcd', 'size must have at most 3 characters'],
  [z.array(z.string()).min(2), ['a'], 'size must have at least 2 items'],
  [z.number().min(0), -1, 'size must be at least 0'],
  [z.number().lt(5), 5, 'size must be less than 5'],
  [z.string().regex(/^a$/), 'b', 'size does not have the required format'],
  [z.iso.date(), 'soon', 'size must be a date, such as 2026-11-21'],
  [z.email(), 'x', 'size must be an e-mail address'],
  [z.strictObject({}), { extra: 1 }, 'size must not contain extra'],
  [z.union([z.string(), z.number()]), [], 'size is not valid'],
  [z.string().refine(() => false), 'x', 'size is not valid'],
  [z.string().refine(() => false, 'Own words'), 'x', 'Own words'],
  [z.string().min(3, 'Too few letters'), 'x', 'Too few letters'],
])('words an issue of the library for people (%#)', (schema, value, expected) => {
  expect(messageOf(schema, value)).toBe(expected);
});
