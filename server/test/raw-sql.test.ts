import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OTHERS = /\.test\.ts$|^server\/(?:test|seed|demo|db\/embedded|db\/migrations)\//;
const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })
  .filter((file) => !OTHERS.test(file))
  .map((file) => ({ file, text: readFileSync(`${ROOT}/${file}`, 'utf8') }));

const REASON = /^\/\/ Raw SQL: \S/m;
/** A statement written as text: a template that is executed, or one that is prepared. */
const isRaw = (text: string) =>
  /`\s*\.execute\(/.test(text) || /\bprepared[<(]/.test(text) || /\brunPrepared\(\s*\w+(?:\.\w+)*,\s*sql\b/.test(text);
const firstLines = (text: string) => text.split('\n', 3).join('\n');

describe('statements', () => {
  it('are recognised when they are written as text', () => {
    expect(isRaw('await sql`select 1`.execute(db);')).toBe(true);
    expect(isRaw('const { rows } = await sql<Row>`\n  select ${a}`.execute(\n  trx,\n);')).toBe(true);
    expect(isRaw('const GET = prepared<Row>(() => sql`select $1`);')).toBe(true);
    expect(isRaw('await runPrepared(\n  db,\n  sql<Row>`select 1`,\n);')).toBe(true);
    expect(isRaw("await db.selectFrom('users').select('id').where(sql`true`).execute();")).toBe(false);
    expect(isRaw("await runPrepared(db, db.selectFrom('users').select('id'));")).toBe(false);
  });

  it('that are written as text have their reason at the top of the file', () => {
    expect(files.length).toBeGreaterThan(300);
    const raw = files.filter(({ text }) => isRaw(text));
    expect(raw.filter(({ text }) => !REASON.test(firstLines(text))).map(({ file }) => file)).toEqual([]);
  });
});
