import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '@officium/contract/services';
import { ERRORS } from '@officium/contract/errors';
import { mountedPath, usualStatus, type Endpoint } from '@officium/contract/endpoint';
import { LOCALES } from '@officium/contract/common';
import { readMessages } from '@officium/i18n/catalogue';
import { describe, expect, it } from 'vitest';
import { implemented } from '#server/http/implement.ts';
import { createTestApp } from './app.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const sources = globSync('{contract,i18n,server,web/app}/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !file.includes('node_modules') && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${ROOT}/${file}`, 'utf8') }));
/** Runtime imports of a file, without type imports. */
const importsOf = (text: string) =>
  [...text.replace(/^import type [^;]+;/gm, '').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );

/** The customer's list of operations, if it lies beside the checkout. */
const OPERATIONS = fileURLToPath(new URL('../../../shared/contract/operations.tsv', import.meta.url));

/** The status of a first call; certificate operations return 201 for a new one. */
const expectedStatus = (endpoint: Endpoint) => ('201' in endpoint.replies ? 201 : usualStatus(endpoint));

const test = await createTestApp();

describe('the contract', () => {
  it('is implemented completely', () => {
    const served = implemented.get(test.app.server) ?? new Set();
    expect(ENDPOINTS.filter((endpoint) => !served.has(endpoint.name)).map((endpoint) => endpoint.name)).toEqual([]);
  });

  it.runIf(existsSync(OPERATIONS))(
    'matches the customer’s list with the same access and status, plus our extensions',
    () => {
      const [, ...lines] = readFileSync(OPERATIONS, 'utf8').trim().split('\n');
      const asked = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t').slice(0, 5).join(' '));
      const declared = ENDPOINTS.filter((endpoint) => !endpoint.extension).map((endpoint) =>
        [endpoint.service, endpoint.method, endpoint.path, endpoint.auth, expectedStatus(endpoint)].join(' '),
      );
      expect(asked).toHaveLength(135);
      expect(declared.toSorted()).toEqual(asked.toSorted());
    },
  );

  it('has unique operation names and paths', () => {
    expect(new Set(ENDPOINTS.map((endpoint) => endpoint.name)).size).toBe(ENDPOINTS.length);
    expect(
      new Set(ENDPOINTS.map((endpoint) => `${endpoint.method} ${mountedPath(endpoint).replace(/\{\w+\}/g, '{}')}`))
        .size,
    ).toBe(ENDPOINTS.length);
  });

  it.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s declares its parameters, replies and errors',
    (_, endpoint) => {
      const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
      const shape = (endpoint.params as { shape?: object } | undefined)?.shape ?? {}; // params are zod objects
      expect(Object.keys(shape).sort()).toEqual(placeholders);
      expect(usualStatus(endpoint)).toBeGreaterThanOrEqual(200);
      expect((endpoint.errors ?? []).filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
    },
  );
});

describe('texts', () => {
  const english = readMessages('en');
  it('has a translation for every error code', () => {
    expect(Object.keys(ERRORS).filter((code) => english[`errors.${code}`] === undefined)).toEqual([]);
  });

  it.each(LOCALES)('%s has exactly the message keys of English', (locale) => {
    const messages = readMessages(locale);
    expect(Object.keys(english).filter((key) => !(key in messages))).toEqual([]);
    expect(Object.keys(messages).filter((key) => !(key in english))).toEqual([]);
  });
});

describe('imports between layers', () => {
  const offending = (files: RegExp, forbidden: RegExp) =>
    sources
      .filter(({ file }) => files.test(file))
      .flatMap(({ file, text }) =>
        importsOf(text)
          .filter((name) => forbidden.test(name))
          .map((name) => `${file} → ${name}`),
      );

  it('the contract imports only zod and itself', () => {
    expect(offending(/^contract\//, /^(?!zod$|\.\/)/)).toEqual([]);
  });
  it('routes import neither the database nor repositories', () => {
    expect(offending(/\.routes\.ts$/, /kysely|\/db\/|\.repository\.ts$/)).toEqual([]);
  });
  it('services import no HTTP code', () => {
    expect(offending(/\.service\.ts$/, /^fastify|\/http\/(?!limits)|\.routes\.ts$/)).toEqual([]);
  });
  it('repositories import no rules', () => {
    expect(offending(/\.repository\.ts$/, /\.service\.ts$|\.policy\.ts$|\/ctx\.ts$|\/http\//)).toEqual([]);
  });
  it('policies and views are pure', () => {
    expect(
      offending(/\.(policy|view)\.ts$/, /\/db\/client|\/ctx\.ts$|kysely|\.repository\.ts$|\.service\.ts$/),
    ).toEqual([]);
  });
  it('pages import no server code', () => {
    // Resolved, because pages have a folder `web/app/server` of their own.
    const imported = sources
      .filter(({ file }) => file.startsWith('web/app/'))
      .flatMap(({ file, text }) =>
        importsOf(text).map((name) => ({ file, name: name.startsWith('.') ? join(dirname(file), name) : name })),
      );
    expect(imported.filter(({ name }) => /#server|^server\//.test(name))).toEqual([]);
  });
});

describe('docs/scaling.md', () => {
  it('names the shard key of each table', () => {
    const schema = readFileSync(`${ROOT}/server/db/schema.ts`, 'utf8');
    const tables = [...schema.slice(schema.indexOf('export interface DB')).matchAll(/^ {2}(\w+): \w+;$/gm)];
    const page = readFileSync(`${ROOT}/docs/scaling.md`, 'utf8');
    const named = [...page.matchAll(/^\| `(\w+)` \| [^|]+\S \|/gm)].map((match) => match[1]);
    expect(named.toSorted()).toEqual(tables.map((match) => match[1]).toSorted());
  });
});

describe('table ownership', () => {
  const WRITES =
    /(?:insertInto|updateTable|deleteFrom)\('(\w+)'\)|\b(?:insert into|delete from)\s+(\w+)|\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/g;
  // Claims of a proven address span areas in one transaction; every area stores notifications through notify/; the
  // sweep deletes expired rows of all areas; the archive, the demo and the seed write on behalf of areas; a preview's rows are rolled back.
  const ACROSS =
    /^server\/(access\/preview-learner\.ts|demo\/|seed\/|notify\/|integrity\/counters\.ts|jobs\/sweep\.ts|areas\/archive\/|areas\/auth\/(owner-claim|cohort-claim|enrolment-claim)\.\w+\.ts|areas\/importing\/owner\.repository\.ts)/;

  /** Authoring, importing and the catalogue all write content, so they count as one area. */
  const placeOf = (file: string) =>
    /^server\/(areas\/[\w-]+|[\w-]+)\//.exec(file)?.[1]?.replace(/^areas\/(authoring|catalogue|importing)$/, 'content');

  it('only notify/ stores notifications', () => {
    const others = sources.filter(
      ({ file, text }) =>
        /insertInto\('notifications'\)|insert into notifications\b/.test(text) &&
        !/^server\/(notify|seed|test)\//.test(file),
    );
    expect(others.map(({ file }) => file)).toEqual([]);
  });

  it('one area writes each table', () => {
    const writers = new Map<string, Set<string>>();
    for (const { file, text } of sources) {
      const place = placeOf(file);
      if (!place || place === 'test' || ACROSS.test(file)) continue;
      for (const match of text.matchAll(WRITES)) {
        const table = match[1] ?? match[2] ?? match[3] ?? '';
        writers.set(table, (writers.get(table) ?? new Set()).add(place));
      }
    }
    expect(
      [...writers]
        .filter(([, places]) => places.size > 1)
        .map(([table, places]) => `${table}: ${[...places].join(', ')}`),
    ).toEqual([]);
  });
});
