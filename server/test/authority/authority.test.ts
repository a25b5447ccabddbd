import { isStream } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { REQUESTS } from './requests.ts';
import { tryTables } from './rows.ts';
import { makeSubject, type Subject, SUBJECTS, type SubjectName } from './subjects.ts';
import { readRows, TABLES } from './table.ts';
import { type Answer, ask, contextOf, operationOf } from './fixture.ts';

const fixture = await tryTables('authority');
const { test } = fixture;

describe('public lists', () => {
  /** All rows of a response, whatever the field is called. */
  const listed = ({ text }: Answer) => Object.values(JSON.parse(text)).filter(Array.isArray).flat();

  it.each(['listCommunities', 'listCatalogue', 'listAcademies', 'listArticles'])(
    '%s returns rows to a visitor and none to an inactive account',
    async (name) => {
      const context = contextOf(fixture, {});
      const [visitor, inactive] = [await makeSubject(context, 'anonymous'), await makeSubject(context, 'inactive')];
      expect(listed(await ask(test, visitor, operationOf(name), {}))).not.toEqual([]);
      expect(listed(await ask(test, inactive, operationOf(name), {}))).toEqual([]);
    },
  );
});

describe('the authority table', () => {
  const NOBODY: readonly SubjectName[] = ['anonymous', 'webhook-key', 'expired-session'];
  const rows = TABLES.flatMap(readRows);
  /** Declared for users; the contract's text also lets service keys set roles with it. */
  const FOR_KEYS_TOO = ['updateUserRecord'];

  it('has a row for every operation of the contract', () => {
    const known = new Set(rows.map(({ name }) => operationOf(name).name));
    // Streams do not end; their own tests cover every subject.
    const missing = ENDPOINTS.filter((endpoint) => !isStream(endpoint) && !known.has(endpoint.name)).map(
      ({ name, auth, summary }) =>
        `Add to a table of table.ts a row "${name}" (${auth}: ${summary}) with ${SUBJECTS.length} cells, and its ` +
        'request to the matching *.requests.ts.',
    );
    expect(missing).toEqual([]);
  });

  it('agrees with the contract on who may call an operation at all', () => {
    const people = SUBJECTS.filter((subject) => !NOBODY.includes(subject) && subject !== 'service-key');
    for (const { name, cells } of rows) {
      const { auth } = operationOf(name);
      const asked = (subjects: readonly SubjectName[]) => [name, ...new Set(subjects.map((subject) => cells[subject]))];
      if (auth === 'none') continue;
      if (auth === 'webhook')
        expect(asked(SUBJECTS.filter((subject) => subject !== 'webhook-key'))).toEqual([name, 401]);
      else expect(asked(NOBODY)).toEqual([name, 401]);
      if (auth === 'user' && !FOR_KEYS_TOO.includes(operationOf(name).name))
        expect(asked(['service-key'])).toEqual([name, 403]);
      if (auth === 'admin') expect(asked(['service-key'])).toEqual([name, 403]);
      if (auth === 'admin' || auth === 'service')
        expect(asked(people.filter((subject) => subject !== 'administrator'))).toEqual([name, 403]);
    }
  });

  it('expects 403 for every operation that would let a service key create administrators', () => {
    const takesRole = ENDPOINTS.filter(({ body }) => {
      const { properties } = body ? z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) : {};
      return JSON.stringify(properties?.['role'] ?? '').includes('"administrator"');
    });
    const names = takesRole.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['createUserRecord', 'updateUserRecord', 'writeRegistration']));
    const answerOf = (name: string) =>
      rows.find((row) => row.name === `${name} to administrator`)?.cells['service-key'];
    expect(names.map((name) => [name, answerOf(name)])).toEqual(names.map((name) => [name, 403]));
  });

  it('has no duplicate rows and no unused requests', () => {
    for (const table of TABLES) {
      const names = readRows(table).map(({ name }) => name);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
    const named = new Set(rows.map(({ name }) => name));
    expect(Object.keys(REQUESTS).filter((name) => !named.has(name))).toEqual([]);
  });

  it('rejects callers without permission before it validates their input', async () => {
    const context = contextOf(fixture, {});
    const [person, service] = [await makeSubject(context, 'member'), await makeSubject(context, 'service-key')];
    const wrong = 'wrong-key-0123456789-0123456789-0123456789';
    for (const endpoint of ENDPOINTS) {
      const { name, auth, path } = endpoint;
      const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, 'x']));
      const codeFor = async (subject: Pick<Subject, 'as' | 'headers'>) => {
        const { status, text } = await ask(test, subject, endpoint, { params });
        return [name, status, JSON.parse(text).code];
      };
      const header: Record<string, string> =
        auth === 'webhook' ? { 'x-webhook-key': wrong } : { authorization: `Bearer ${wrong}` };
      expect(await codeFor({ as: {}, headers: header })).toEqual([name, 401, 'auth.wrong_key']);
      if (auth === 'none' || auth === 'webhook') continue;
      expect(await codeFor({ as: {}, headers: {} })).toEqual([name, 401, 'auth.required']);
      if (FOR_KEYS_TOO.includes(name)) continue;
      if (auth === 'user') expect(await codeFor(service)).toEqual([name, 403, 'auth.forbidden']);
      else expect(await codeFor(person)).toEqual([name, 403, 'auth.forbidden']);
    }
  });
});
