import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LOCALES } from '@officium/contract/common';
import { readMessages } from '@officium/i18n/catalogue';
import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../web/app/areas/admin/audit-actions.ts';

const SERVER = fileURLToPath(new URL('..', import.meta.url));
/** Source files that record actions. */
const sources = globSync('**/*.ts', { cwd: SERVER })
  .filter((file) => !file.startsWith('test/') && !file.endsWith('.test.ts') && file !== 'audit/audit.ts')
  .map((file) => ({ file, text: readFileSync(`${SERVER}/${file}`, 'utf8') }))
  .filter(({ text }) => /\brecord(?:Action|Hourly)\(/.test(text));

/** The arguments of each call that records an action. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/\brecord(?:Action|Hourly)\(/g)].map(({ index, 0: name }) => {
    const start = index + name.length;
    let end = start;
    for (let depth = 1; depth > 0 && end < text.length; end++) depth += depthOf(text[end]);
    return text.slice(start, end - 1);
  });
}

function depthOf(letter: string | undefined): number {
  return letter === '(' ? 1 : letter === ')' ? -1 : 0;
}

const NAMES = /'([a-z]+\.[a-z]+(?:-[a-z]+)*)'/g;
const namesIn = (code: string) => [...code.matchAll(NAMES)].map(([, name = '']) => name);

/** The actions a call may record: the literals in it, or those of its `action` variable. */
function actionsOf(call: string, text: string): string[] {
  const [, written] = /\baction: ([^,}]+)/.exec(call) ?? [];
  if (written !== undefined) return namesIn(written);
  if (!/[{,] *action *[,}]/.test(call)) return [];
  return [...text.matchAll(/\baction(?::| =) ((?:'[^']+'(?: \| )?)+)/g)].flatMap(([, named = '']) => namesIn(named));
}

const calls = sources.flatMap(({ file, text }) =>
  callsIn(text).map((call) => ({ file, call, actions: actionsOf(call, text) })),
);

describe('the words of the audit log', () => {
  it('cover every call that records an action', () => {
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.filter(({ actions }) => actions.length === 0).map(({ file, call }) => `${file}: ${call}`)).toEqual([]);
  });

  it('are the choices of the page', () => {
    expect(AUDIT_ACTIONS).toEqual([...new Set(calls.flatMap(({ actions }) => actions))].toSorted());
  });

  it.each(LOCALES)('have a sentence for every action in %s', (locale) => {
    const messages = readMessages(locale);
    const missing = calls
      .flatMap(({ actions }) => actions)
      .filter((action) => !messages[`admin.audit_did_${action.replaceAll(/[^a-z]/g, '_')}`]);
    expect([...new Set(missing)]).toEqual([]);
  });
});
