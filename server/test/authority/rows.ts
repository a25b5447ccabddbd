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
import { type Answer, ask, groundOf, makeWorld, operationOf, type World, written } from './world.ts';

/** A refusal has the one body of all errors. */
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
  expect(ERRORS[body.code as ErrorCode]).toMatchObject({ status }); // undefined for what is no code, which fails
  if (status === 401) expect(body.code).toBe(endpoint.auth === 'webhook' ? 'auth.wrong_key' : 'auth.required');
}

/** Tries every square of the tables of a part, in a world of their own, which is returned. */
export async function tryTables(part: Part): Promise<World> {
  it('every part has a file', () => {
    const missing = PARTS.filter((name) => !existsSync(new URL(`${name}.test.ts`, import.meta.url)));
    expect(missing).toEqual([]);
    expect(basename(expect.getState().testPath ?? '')).toBe(`${part}.test.ts`);
  });

  const world = await makeWorld();
  const { test } = world;
  const nobody = await makePerson(test);
  await loadJobTasks(test.ctx);

  /** Reading changes nothing, so these calls may be repeated. */
  const readers = new Map<string, Promise<Subject>>();

  async function subjectOf(table: Table, endpoint: Endpoint, name: SubjectName): Promise<Subject> {
    const ground = groundOf(world, table);
    if (endpoint.method !== 'GET') return await makeSubject(ground, name);
    const key = `${name} in ${ground.community.slug} and ${ground.course.slug}`;
    const known = readers.get(key) ?? makeSubject(ground, name);
    readers.set(key, known);
    return await known;
  }

  async function tryCell(table: Table, { name, cells }: Row, subjectName: SubjectName): Promise<Expected> {
    const endpoint = operationOf(name);
    const subject = await subjectOf(table, endpoint, subjectName);
    const me = subject.person ?? (endpoint.method === 'GET' ? nobody : await makePerson(test));
    const sent = await requestOf(name, { world, ...groundOf(world, table), me });
    const answer = await ask(test, subject, endpoint, sent);
    if (answer.status >= 400) expectRefusal(endpoint, answer);
    const got = written(answer);
    // The whole answer says more of an unexpected refusal than its status.
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

  return world;
}
