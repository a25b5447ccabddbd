import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { loadJobTasks } from '#server/areas/ai/job-task-load.service.ts';
import { makePerson } from '../factories/accounts.ts';
import type { Variant } from './objects.ts';
import { type ObjectRow, OBJECT_TABLES, readObjectRows } from './objects.table.ts';
import { requestOf } from './requests.ts';
import { makeSubject, SUBJECTS } from './subjects.ts';
import { readRows, TABLES } from './table.ts';
import { prepareVariant } from './variants.ts';
import { type Answer, ask, contextOf, makeFixture, operationOf, type Sent, outcomeOf } from './fixture.ts';

const fixture = await makeFixture();
const { test } = fixture;
await loadJobTasks(test.ctx);

/**
 * Everything a caller can observe in a response, except what differs in every response and the identifier they sent.
 * Where the response repeats the identifier, its length is left out.
 */
function seen({ status, text, headers }: Answer, given: string): string {
  const [body, policy] = [text.replaceAll(given, '…'), String(headers['content-security-policy'])];
  return JSON.stringify(
    {
      status,
      body: body.replace(/"requestId":"[^"]*"/, '"requestId":"…"'),
      headers: {
        ...headers,
        'x-request-id': '…',
        date: '…',
        'content-security-policy': policy.replace(/'nonce-[^']*'/g, '…'),
        'content-length': body === text ? headers['content-length'] : '…',
      },
    },
    null,
    2,
  );
}

async function tryVariant(row: ObjectRow, variant: Variant): Promise<{ answer: Answer; value: string }> {
  const { subject, endpoint, sent, value } = await prepareVariant(fixture, row, variant);
  return { answer: await ask(test, subject, endpoint, sent), value };
}

describe.each(OBJECT_TABLES)('objects in requests: $title', (table) => {
  it.each(readObjectRows(table))('$name', async (row) => {
    const variants = Object.keys(row.answers) as Variant[]; // the table has no others
    const tried = await Promise.all(
      variants.map(async (variant) => [variant, await tryVariant(row, variant)] as const),
    );
    const statuses = tried.map(([variant, { answer }]) => [variant, outcomeOf(answer)]);
    expect(Object.fromEntries(statuses)).toEqual(row.answers);

    const random = tried.find(([variant]) => variant === 'random')?.[1];
    if (!random) throw new Error('a row needs the random variant as a reference');
    for (const [variant, { answer, value }] of tried)
      if (variant === 'hidden' || answer.status === 404)
        expect(`${variant} ${seen(answer, value)}`).toBe(`${variant} ${seen(random.answer, random.value)}`);
  });
});

/** A string that no response contains. */
const NO_NAME = '\0';
/** Field names of identifiers, also in bodies. */
const IDENTIFIER = /^(id|slug)$|(Id|Slug)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The same request with identifiers that never existed. */
function withRandom(sent: Sent): Sent {
  const random = (value: unknown) =>
    typeof value !== 'string' || value === 'me'
      ? value
      : UUID.test(value)
        ? crypto.randomUUID()
        : `${'x'.repeat(Math.max(1, value.length - 8))}${crypto.randomUUID().slice(0, 8)}`;
  const inside = (part: object | undefined) =>
    part &&
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, IDENTIFIER.test(name) ? random(value) : value]),
    );
  return { ...sent, params: inside(sent.params), body: inside(sent.body as object | undefined) };
}

describe('a 404 of the authority table reveals nothing', () => {
  const cells = TABLES.flatMap((table) =>
    readRows(table).flatMap(({ name, cells }) =>
      SUBJECTS.filter((subject) => cells[subject] === 404).map((subject) => ({ table, name, subject })),
    ),
  );
  const rows = [...new Set(cells.map(({ table, name }) => `${name} (${table.title})`))];

  it.each(rows)('%s', async (title) => {
    for (const { table, name, subject } of cells.filter((cell) => `${cell.name} (${cell.table.title})` === title)) {
      const context = contextOf(fixture, table);
      const caller = await makeSubject(context, subject);
      const me = caller.person ?? (await makePerson(test));
      const sent = await requestOf(name, { fixture, ...context, me });
      const endpoint = operationOf(name);
      const [real, random] = [
        await ask(test, caller, endpoint, sent),
        await ask(test, caller, endpoint, withRandom(sent)),
      ];
      expect(`${subject} ${seen(real, NO_NAME)}`).toBe(`${subject} ${seen(random, NO_NAME)}`);
      expect(real.status).toBe(404);
    }
  });
});

describe('the table of objects', () => {
  const rows = OBJECT_TABLES.flatMap(readObjectRows);
  /** Languages, topics, themes, slots, steps, URLs, kinds and checksums are not objects. */
  const isObject = (row: string) =>
    !['readLinkPreview {encodedUrl}', 'checkCertificateFile {sha256}'].includes(row) &&
    !/ \{(?:kind|locale|slot|step|topic|theme)\}$/.test(row);

  it('has a row for every path parameter', () => {
    const known = new Set(rows.map((row) => `${operationOf(row.name).name} {${row.identifier}}`));
    const missing = ENDPOINTS.flatMap(({ name, path }) =>
      [...path.matchAll(/\{\w+\}/g)].map(([parameter]) => `${name} ${parameter}`),
    ).filter((row) => !known.has(row) && isObject(row));
    expect(missing.map((row) => `Add to a table of objects.table.ts a row "${row}".`)).toEqual([]);
  });

  it('has no duplicate rows', () => {
    const names = rows.map(({ name, subject }) => `${name} ${subject}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
