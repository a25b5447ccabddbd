import { describe, expect, it } from 'vitest';
import { loadJobTasks } from '#server/areas/ai/job-task-load.service.ts';
import { newId } from '#server/db/client.ts';
import type { As } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { noteWrites, readWrites } from '../fuzz/writes.ts';
import { requestOf } from './requests.ts';
import { makeSubject, SUBJECTS } from './subjects.ts';
import { readRows, type Row, TABLES, type Table } from './table.ts';
import { type Answer, ask, contextOf, makeFixture, operationOf } from './fixture.ts';

// A client that gets no response retries with the same key. No operation may take effect twice.

/** These store no answer for a key: they count attempts that must persist, or return secrets. */
const WITHOUT_STORED_ANSWER = [
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

/** These end the caller's session and open another one. */
const ENDS_ITS_SESSION = ['confirmMySignUp'];

const sessionOf = (headers: Answer['headers']): As => {
  const [, token] = /^session=([^;]+)/.exec(String(headers['set-cookie'])) ?? [];
  return token === undefined ? {} : { token };
};

const fixture = await makeFixture();
const { test } = fixture;
await loadJobTasks(test.ctx);
await noteWrites(test);

/** Writes of a replayed request: the key's use and the session's last request. */
const REPLAY_WRITES = ['UPDATE idempotency_keys', 'UPDATE sessions'];

/** A file is received before the operation, and its age is renewed. */
const RECEIVED = ['INSERT incoming_files', 'UPDATE incoming_files', 'DELETE incoming_files', 'UPDATE stored_files'];
const RECEIVED_AGAIN: Readonly<Record<string, readonly string[]>> = {
  uploadPieceFile: RECEIVED,
  uploadPiecePicture: RECEIVED,
  uploadPostPicture: [...RECEIVED, 'INSERT stored_files'],
  uploadLessonPicture: [...RECEIVED, 'INSERT stored_files'],
  uploadArticlePicture: [...RECEIVED, 'INSERT stored_files'],
  uploadCertificatePicture: RECEIVED,
  uploadSiteLogo: RECEIVED,
};

/** A subject that the table permits. */
const allowed = ({ cells }: Row) => SUBJECTS.find((subject) => cells[subject] === 'yes');

async function repeat(table: Table, row: Row) {
  const context = contextOf(fixture, table);
  const subject = await makeSubject(context, allowed(row)!); // `rows` contains only permitted ones
  const sent = await requestOf(row.name, { fixture, ...context, me: subject.person ?? (await makePerson(test)) });
  const keyed = { ...sent, headers: { ...sent.headers, 'idempotency-key': newId() } };
  const send = async (as: As) => {
    await test.ctx.pool.query('delete from noted_writes');
    const { status, text, headers } = await ask(test, { ...subject, as }, operationOf(row.name), keyed);
    return { answer: { status, text }, writes: await readWrites(test), opened: sessionOf(headers) };
  };
  const first = await send(subject.as);
  return [first, await send(ENDS_ITS_SESSION.includes(row.name) ? first.opened : subject.as)] as const;
}

/** Each POST operation once, in the first table that permits it. */
const rows = new Map(
  TABLES.flatMap((table) => readRows(table).map((row) => [row.name, { table, row }] as const))
    .filter(([name, { row }]) => operationOf(name).method === 'POST' && allowed(row) !== undefined)
    .toReversed(),
);

describe('repeated with its key', () => {
  it.each([...rows.values()].toReversed())('$row.name', async ({ table, row }) => {
    const [first, second] = await repeat(table, row);
    expect(first.answer.status).toBeLessThan(300);
    const isKept = first.writes.includes('INSERT idempotency_keys');
    expect(isKept).toBe(!WITHOUT_STORED_ANSWER.includes(operationOf(row.name).name));
    if (!isKept) return;
    expect(second.answer).toEqual(first.answer);
    const replayed = [...REPLAY_WRITES, ...(RECEIVED_AGAIN[row.name] ?? [])];
    expect(second.writes.filter((write) => !replayed.includes(write))).toEqual([]);
  });
});
