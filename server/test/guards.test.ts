import { existsSync, globSync, readFileSync } from 'node:fs';
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
/** What a file imports at run time; types bind nothing. */
const importsOf = (text: string) =>
  [...text.replace(/^import type [^;]+;/gm, '').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );

/** The customer's list of operations, where it stands beside the checkout. */
const OPERATIONS = fileURLToPath(new URL('../../../shared/contract/operations.tsv', import.meta.url));

/** What a first call answers: of a certificate that may be there already, that it was made. */
const expectedStatus = (endpoint: Endpoint) => ('201' in endpoint.replies ? 201 : usualStatus(endpoint));

const test = await createTestApp();

describe('the contract', () => {
  it('is served whole', () => {
    const served = implemented.get(test.app.server) ?? new Set();
    expect(ENDPOINTS.filter((endpoint) => !served.has(endpoint.name)).map((endpoint) => endpoint.name)).toEqual([]);
  });

  it.runIf(existsSync(OPERATIONS))('is the customer’s, with the same authority and status, and what we added', () => {
    const [, ...lines] = readFileSync(OPERATIONS, 'utf8').trim().split('\n');
    const asked = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t').slice(0, 5).join(' '));
    const declared = ENDPOINTS.filter((endpoint) => !endpoint.extension).map((endpoint) =>
      [endpoint.service, endpoint.method, endpoint.path, endpoint.auth, expectedStatus(endpoint)].join(' '),
    );
    expect(asked).toHaveLength(135);
    expect(declared.toSorted()).toEqual(asked.toSorted());
  });

  it('names each operation and each address once', () => {
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
  it('has a translation for every reason of refusal', () => {
    expect(Object.keys(ERRORS).filter((code) => english[`errors.${code}`] === undefined)).toEqual([]);
  });

  it.each(LOCALES)('%s has exactly the texts English has', (locale) => {
    const messages = readMessages(locale);
    expect(Object.keys(english).filter((key) => !(key in messages))).toEqual([]);
    expect(Object.keys(messages).filter((key) => !(key in english))).toEqual([]);
  });
});

describe('who may import whom', () => {
  const offending = (files: RegExp, forbidden: RegExp) =>
    sources
      .filter(({ file }) => files.test(file))
      .flatMap(({ file, text }) =>
        importsOf(text)
          .filter((name) => forbidden.test(name))
          .map((name) => `${file} → ${name}`),
      );

  it('the contract imports zod and itself', () => {
    expect(offending(/^contract\//, /^(?!zod$|\.\/)/)).toEqual([]);
  });
  it('routes know no database and no repository', () => {
    expect(offending(/\.routes\.ts$/, /kysely|\/db\/|\.repository\.ts$/)).toEqual([]);
  });
  it('services know no HTTP', () => {
    expect(offending(/\.service\.ts$/, /^fastify|\/http\/(?!limits)|\.routes\.ts$/)).toEqual([]);
  });
  it('repositories know no rules', () => {
    expect(offending(/\.repository\.ts$/, /\.service\.ts$|\.policy\.ts$|\/ctx\.ts$|\/http\//)).toEqual([]);
  });
  it('policies and views are pure', () => {
    expect(
      offending(/\.(policy|view)\.ts$/, /\/db\/client|\/ctx\.ts$|kysely|\.repository\.ts$|\.service\.ts$/),
    ).toEqual([]);
  });
  it('the pages know no server', () => {
    expect(offending(/^web\/app\//, /#server|\/server\//)).toEqual([]);
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

describe('who writes which table', () => {
  const WRITES =
    /(?:insertInto|updateTable|deleteFrom)\('(\w+)'\)|\b(?:insert into|delete from)\s+(\w+)|\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/g;
  // The claims of a proven address reach across areas in one transaction; sweeping removes what is over
  // wherever it is; the demo and a seed are written as if the areas had written them.
  const ACROSS =
    /^server\/(demo\/|seed\/|integrity\/counters\.ts|jobs\/sweep\.ts|areas\/auth\/(owner-claim|cohort-claim|enrolment-claim)\.\w+\.ts|areas\/importing\/owner\.repository\.ts)/;

  /** Whatever brings content writes the same tables: what is written here and what is imported are one thing. */
  const placeOf = (file: string) =>
    /^server\/(areas\/[\w-]+|[\w-]+)\//.exec(file)?.[1]?.replace(/^areas\/(authoring|catalogue|importing)$/, 'content');

  it('one area each', () => {
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
