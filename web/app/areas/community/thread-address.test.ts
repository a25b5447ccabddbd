import { expect, it } from 'vitest';
import {
  idBefore,
  queriesOfTranslation,
  queryOfReply,
  queryOfThread,
  replyOfHash,
  threadOf,
  WHOLE_THREAD,
} from './thread-address.ts';

const A = '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57';
const B = '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a58';

it('round-trips a view through its query', () => {
  const view = { order: 'newest', after: A, open: B, at: undefined } as const;
  const read = threadOf(new URLSearchParams(queryOfThread(view, { report: B })));
  expect(read).toMatchObject({ ...view, report: B, reply: undefined, edit: undefined, remove: undefined });
  expect(threadOf(new URLSearchParams(queryOfThread({ ...WHOLE_THREAD, at: A }))).at).toBe(A);
  expect(queryOfThread(WHOLE_THREAD)).toBe('?');
});

it('ignores invalid ids', () => {
  expect(threadOf(new URLSearchParams({ after: 'x', reply: `${A}x`, order: 'best' }))).toEqual({
    ...WHOLE_THREAD,
    reply: undefined,
    edit: undefined,
    remove: undefined,
    report: undefined,
  });
  expect(replyOfHash('#replies')).toBeUndefined();
});

it('keeps up to ten translated texts when another form opens', () => {
  const address = threadOf(new URLSearchParams(queryOfThread({ ...WHOLE_THREAD, translated: [A] }, { edit: B })));
  expect(address).toMatchObject({ translated: [A], edit: B });
  const { to, back } = queriesOfTranslation(address, B);
  expect(to).toBe(`?translate=${A}&translate=${B}#${B}`);
  expect(back).toBe(`?translate=${A}#${B}`);
  expect(queriesOfTranslation(address, A)).toEqual({ to: `?translate=${A}#${A}`, back: `?#${A}` });
  const many = Array.from({ length: 12 }, (_, n) => `0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a${n + 10}`);
  const asked = new URLSearchParams([...many, 'x', A.toUpperCase()].map((id) => ['translate', id]));
  expect(threadOf(asked).translated).toEqual([...many.slice(-9), A]);
});

it('addresses one reply', () => {
  expect(queryOfReply(A)).toBe(`?at=${A}#${A}`);
  expect(replyOfHash(`#${A.toUpperCase()}`)).toBe(A);
});

it('computes the id just below another', () => {
  expect(idBefore(B)).toBe(A);
  expect(idBefore('0193a7c2-5b1e-7d30-9000-000000000000')).toBe('0193a7c2-5b1e-7d30-8fff-ffffffffffff');
  expect(idBefore('00000000-0000-0000-0001-000000000000')).toBe('00000000-0000-0000-0000-ffffffffffff');
});
