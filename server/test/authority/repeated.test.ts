import { describe, expect, it } from 'vitest';
import { loadJobTasks } from '#server/areas/ai/job-task-load.service.ts';
import { newId } from '#server/db/client.ts';
import type { As } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { noteWrites, seeWrites } from '../fuzz/writes.ts';
import { requestOf } from './requests.ts';
import { makeSubject, SUBJECTS } from './subjects.ts';
import { readRows, type Row, TABLES, type Table } from './table.ts';
import { type Answer, ask, groundOf, makeWorld, operationOf } from './world.ts';

// A caller who gets no answer sends the same again with the same key: nothing is done twice, whatever the operation.

/** These keep no answer for a key: they count attempts that must last, or answer a secret. */
const GUARD_THEMSELVES = [
  'addPasskey',
  'checkPassword',
  'confirmEmailChange',
  'confirmLoginLink',
  'confirmSession',
  'confirmTotp',
  'finishProviderSignIn',
  'proveSecondFactor',
  'renewRecoveryCodes',
  'signIn',
  'signInWithPasskey',
  'startConfirmationPasskey',
  'startFactorPasskey',
  'startPasskey',
  'startPasskeySignIn',
  'startProviderSignIn',
  'startTotp',
];

/** The session that asks is over afterwards; the answer opens another one. */
const ENDS_ITS_SESSION = ['confirmMySignUp'];

const sessionOf = (headers: Answer['headers']): As => {
  const [, token] = /^session=([^;]+)/.exec(String(headers['set-cookie'])) ?? [];
  return token === undefined ? {} : { token };
};

const world = await makeWorld();
const { test } = world;
await loadJobTasks(test.ctx);
await noteWrites(test);

/** Of a repetition that is answered from what is kept: it was heard, and by whom. */
const HEARD = ['UPDATE idempotency_keys', 'UPDATE sessions'];

/** Somebody of whom the table says that they may. */
const allowed = ({ cells }: Row) => SUBJECTS.find((subject) => cells[subject] === 'yes');

async function repeat(table: Table, row: Row) {
  const ground = groundOf(world, table);
  const subject = await makeSubject(ground, allowed(row)!); // `rows` holds no other
  const sent = await requestOf(row.name, { world, ...ground, me: subject.person ?? (await makePerson(test)) });
  const keyed = { ...sent, headers: { ...sent.headers, 'idempotency-key': newId() } };
  const send = async (as: As) => {
    await test.ctx.pool.query('delete from noted_writes');
    const { status, text, headers } = await ask(test, { ...subject, as }, operationOf(row.name), keyed);
    return { answer: { status, text }, writes: await seeWrites(test), opened: sessionOf(headers) };
  };
  const first = await send(subject.as);
  return [first, await send(ENDS_ITS_SESSION.includes(row.name) ? first.opened : subject.as)] as const;
}

/** Each that may be sent with a key, where it may be done first. */
const rows = new Map(
  TABLES.flatMap((table) => readRows(table).map((row) => [row.name, { table, row }] as const))
    .filter(([name, { row }]) => operationOf(name).method === 'POST' && allowed(row) !== undefined)
    .toReversed(),
);

describe('sent again with its key', () => {
  it.each([...rows.values()].toReversed())('$row.name', async ({ table, row }) => {
    const [first, second] = await repeat(table, row);
    expect(first.answer.status).toBeLessThan(300);
    const isKept = first.writes.includes('INSERT idempotency_keys');
    expect(isKept).toBe(!GUARD_THEMSELVES.includes(operationOf(row.name).name));
    if (!isKept) return;
    expect(second.answer).toEqual(first.answer);
    expect(second.writes.filter((write) => !HEARD.includes(write))).toEqual([]);
  });
});
