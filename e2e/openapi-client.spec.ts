import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { currentProduct } from './demo.ts';

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'officium-openapi-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program written with the OpenAPI document alone. */
const program = (url: string) => `
  import createClient from 'openapi-fetch';
  import type { paths } from './api.d.ts';

  const api = createClient<paths>({ baseUrl: '${url}' });
  let session: string | undefined;
  api.use({
    onRequest({ request }) {
      if (session !== undefined) {
        request.headers.set('cookie', session);
        request.headers.set('sec-fetch-site', 'same-origin');
      }
    },
    onResponse({ response }) {
      session = response.headers.getSetCookie()[0]?.split(';')[0] ?? session;
    },
  });

  const wrong = await api.POST('/api/auth/logins', { body: { email: 'learner@example.gov', password: 'a guess' } });
  if (wrong.error?.statusCode !== 401) throw new Error('signed in by a guess');
  const reason: 'auth.wrong_key' | 'auth.wrong_credentials' = wrong.error.code;

  const right = await api.POST('/api/auth/logins', {
    body: { email: 'learner@example.gov', password: 'officium-demo-2026' },
  });
  const created: boolean | undefined = right.data?.created;

  const profile = await api.GET('/api/account/accounts/{id}/profile', { params: { path: { id: 'me' } } });
  const name: string | undefined = profile.data?.name;

  const slug = 'plain-words';
  const post = await api.POST('/api/community/communities/{slug}/activities', {
    params: { path: { slug }, header: { 'Idempotency-Key': 'from a stranger' } },
    body: { title: 'Written by a generated client' },
  });
  const title: string | null | undefined = post.data?.title;

  const feed = await api.GET('/api/community/communities/{slug}/activities', {
    params: { path: { slug }, query: { limit: 1, ranking: 'recent_with_pin' } },
  });
  const count: number | undefined = feed.data?.results.length;

  const invalid = await api.POST('/api/community/communities/{slug}/activities', { params: { path: { slug } }, body: {} });
  const issue: string | undefined = invalid.error?.statusCode === 400 ? invalid.error.issues?.[0]?.message : undefined;

  const hidden = await api.GET('/api/community/communities/{slug}', { params: { path: { slug: 'no-such-place' } } });
  const code: string | undefined = hidden.error?.code;

  console.log(JSON.stringify({ reason, created, name, title, count, issue, code }));
`;

describe('a client generated from /api/openapi.json', () => {
  it('compiles, signs in, reads, posts and has typed errors', async () => {
    const { url } = await currentProduct();
    const document = await fetch(`${url}/api/openapi.json`).then((reply) => reply.json());
    // Properties with a default may be omitted in bodies.
    const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
    await symlink(MODULES, join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'api.d.ts'), types);
    await writeFile(join(folder, 'program.ts'), program(url));
    const run = (file: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, [file, ...args], { cwd: folder }).catch(
        (error: { message: string; stdout?: string }) => {
          throw new Error(`${error.message}\n${error.stdout ?? ''}`);
        },
      );
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
    await run(join(MODULES, 'typescript/bin/tsc'), ...options, '--types', 'node', 'program.ts');
    const { stdout } = await run('program.js');
    expect(JSON.parse(stdout)).toEqual({
      reason: 'auth.wrong_credentials',
      created: true,
      name: 'Maya Okafor',
      title: 'Written by a generated client',
      count: 1,
      issue: "Either 'body' or 'title' must be provided.",
      code: 'request.not_found',
    });
  });
});
