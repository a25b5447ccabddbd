import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createDatabase, dropDatabase, query } from '#server/test/cluster.ts';
import { ROOT } from '#server/test/process.ts';

const names = ['first', 'second'].map((name) => `officium_cli_${name}_${newId().slice(-8)}`);
let folder: string;
let urls: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'officium-cli-'));
  urls = await Promise.all(names.map((name) => createDatabase(inject('adminUrl'), name, inject('template'))));
  await query(
    urls[0] ?? '',
    `insert into users (id, email, name, role) values ('${newId()}', 'maya@city.example', 'Maya', 'public-servant')`,
  );
});
afterAll(async () => {
  for (const name of names) await dropDatabase(inject('adminUrl'), name);
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command on one of the two installations. */
function run(nth: 0 | 1, command: string, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  return spawnSync(process.execPath, [`server/cli/${command}.ts`, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH, HOME, NODE_ENV: 'test', DATABASE_URL: urls[nth] ?? '', DATA_DIR: join(folder, `data-${nth}`) },
  });
}

describe('the commands', () => {
  it('explain wrong arguments and end with 2', { timeout: 30_000 }, () => {
    const wrong: [string, ...string[]][] = [
      ['backup'],
      ['backup', '--help'],
      ['restore', 'one.zip', 'two.zip'],
      ['restore', 'one.zip', '--force'],
      ['admin', 'make-administrator'],
      ['admin', 'toString', 'maya@city.example'],
    ];
    for (const [command, ...args] of wrong)
      expect(run(0, command, ...args), `${command} ${args.join(' ')}`).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('Usage: '),
      });
  });

  it('back up one installation and restore it in another', { timeout: 60_000 }, async () => {
    expect(run(0, 'backup', folder)).toMatchObject({ status: 0, stdout: expect.stringContaining('1 person') });
    const [file = ''] = (await readdir(folder)).filter((name) => /^officium-backup-[\d-]+\.zip$/.test(name));
    expect(run(0, 'backup', folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') });
    expect(run(1, 'restore', join(folder, file))).toMatchObject({ status: 0 });
    expect(run(1, 'restore', join(folder, file))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not empty'),
    });
    expect(run(1, 'restore', join(folder, file), '--replace')).toMatchObject({ status: 0 });
    expect(run(1, 'restore', join(folder, 'none.zip'))).toMatchObject({ status: 1 });
    expect(run(1, 'admin', 'make-administrator', 'Maya@city.example')).toMatchObject({
      status: 0,
      stdout: 'maya@city.example is an administrator now.\n',
    });
    expect(run(1, 'admin', 'sign-in-link', 'nobody@city.example')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No account'),
    });
  });
});
