import { existsSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { basename } from 'node:path';
import { ERRORS, type ErrorCode } from '@officium/contract/errors';
import type { Endpoint } from '@officium/contract/endpoint';
import { describe, expect, it } from 'vitest';
import { loadJobTasks } from '#server/areas/ai/job-task-load.service.ts';
import { makePerson } from '../factories/accounts.ts';
import { requestOf } from './requests.ts';
import { makeSubject, type Subject, SUBJECTS, type SubjectName } from './subjects.ts';
import { type Expected, type Part, PARTS, readRows, type Row, type Table, TABLES } from './table.ts';
import { type Answer, ask, contextOf, makeFixture, operationOf, type Fixture, outcomeOf } from './fixture.ts';

/** Every refusal has the contract's error body. */
function expectRefusal(endpoint: Endpoint, { status, text, headers }: Answer): void {
  const body = JSON.parse(text);
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toEqual({
    statusCode: status,
    error: STATUS_CODES[status],
    message: expect.stringMatching(/./),
    requestId: headers['x-request-id'],
    code: expect.stringMatching(/./),
  });
  expect(ERRORS[body.code as ErrorCode]).toMatchObject({ status }); // undefined for an unknown code, which fails
  if (status === 401) expect(body.code).toBe(endpoint.auth === 'webhook' ? 'auth.wrong_key' : 'auth.required');
}

/** Tests every cell of the tables of one part in a fixture of its own, which it returns. */
export async function tryTables(part: Part): Promise<Fixture> {
  it('every part has a test file', () => {
    const missing = PARTS.filter((name) => !existsSync(new URL(`${name}.test.ts`, import.meta.url)));
    expect(missing).toEqual([]);
    expect(basename(expect.getState().testPath ?? '')).toBe(`${part}.test.ts`);
  });

  const fixture = await makeFixture();
  const { test } = fixture;
  const nobody = await makePerson(test);
  await loadJobTasks(test.ctx);

  /** GET changes nothing, so its subjects can be reused. */
  const readers = new Map<string, Promise<Subject>>();

  async function subjectOf(table: Table, endpoint: Endpoint, name: SubjectName): Promise<Subject> {
    const context = contextOf(fixture, table);
    if (endpoint.method !== 'GET') return await makeSubject(context, name);
    const key = `${name} in ${context.community.slug} and ${context.course.slug}`;
    const known = readers.get(key) ?? makeSubject(context, name);
    readers.set(key, known);
    return await known;
  }

  async function tryCell(table: Table, { name, cells }: Row, subjectName: SubjectName): Promise<Expected> {
    const endpoint = operationOf(name);
    const subject = await subjectOf(table, endpoint, subjectName);
    const me = subject.person ?? (endpoint.method === 'GET' ? nobody : await makePerson(test));
    const sent = await requestOf(name, { fixture, ...contextOf(fixture, table), me });
    const answer = await ask(test, subject, endpoint, sent);
    if (answer.status >= 400) expectRefusal(endpoint, answer);
    const got = outcomeOf(answer);
    // The full response explains an unexpected refusal better than its status.
    if (cells[subjectName] === 'yes' && got !== 'yes') throw new Error(`${name} as ${subjectName}: ${answer.text}`);
    return got;
  }

  describe.each(TABLES.filter((table) => table.part === part))('$title', (table) => {
    it.each(readRows(table))('$name', async (row) => {
      const answers = await Promise.all(
        SUBJECTS.map(async (subject) => [subject, await tryCell(table, row, subject)] as const),
      );
      expect(Object.fromEntries(answers)).toEqual(row.cells);
    });
  });

  return fixture;
}
