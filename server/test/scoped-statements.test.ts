import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('..', import.meta.url));
/** What is one person's and nobody else's: conversations with the assistant, what they learned and what they hold. */
const OWN =
  /\b(?:from|join|update|into)\s+(?:ai_threads|ai_messages|lesson_completions|certificates)\b|'(?:ai_threads|ai_messages|lesson_completions|certificates)( as \w+)?'\)/;

/** Pieces of code that reach these rows by something else than their person, and why they may. */
const OTHERWISE: Record<string, string> = {
  'integrity/counters.ts FIGURES': 'sums over everybody, counted again',
  'areas/ai/thread.repository.ts insertExchange': 'into a conversation opened for the asker in this transaction',
  'areas/certificates/certificate.repository.ts revokeByNumber': 'by its public number, for an administrator',
  'areas/certificates/certificate.repository.ts revokeRow': 'by an id that was locked before',
  'areas/certificates/certificate.repository.ts insertCertificateFile': 'the hash of a PDF that is handed out',
  'areas/certificates/certificate.repository.ts hasCertificateFile':
    'whoever holds the file may ask whether it is ours',
  'areas/certificates/certificate.repository.ts getPublicCertificate': 'whoever has the number may verify it',
};

/** The functions and constants of a file, by name. */
function piecesOf(text: string): { name: string; code: string }[] {
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function\*?|const) (\w+)/gm)];
  return starts.map(({ index, 1: name = '' }, nth) => ({ name, code: text.slice(index, starts[nth + 1]?.index) }));
}

/** Does it say whose rows it means? */
const isScoped = (code: string) => /\buser_id\b|\buserId\b|\bisOf\(/.test(code.replace(/^.*?\{$/m, ''));

function unscopedIn(file: string, text: string): string[] {
  return piecesOf(text)
    .filter(({ code }) => OWN.test(code) && !isScoped(code))
    .map(({ name }) => `${file} ${name}`);
}

const files = globSync('{areas,access,audit,feeds,http,integrity,jobs,limits,live,mail,metrics}/**/*.ts', {
  cwd: SERVER,
})
  .filter((file) => !/\.test\.ts$|personal-data\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${SERVER}/${file}`, 'utf8') }));

describe('statements about what is one person’s', () => {
  it('name the person, but for those that stand here with their reason', () => {
    const found = files.flatMap(({ file, text }) => unscopedIn(file, text));
    expect(found.filter((piece) => !Object.hasOwn(OTHERWISE, piece))).toEqual([]);
    expect(Object.keys(OTHERWISE).filter((piece) => !found.includes(piece))).toEqual([]);
  });

  it('are found, and missed when the person is', () => {
    const text = `export async function getThread(db: Db, id: string) {
  return await sql\`select * from ai_threads where id = \${id}\`.execute(db);
}
export async function getMine(db: Db, whose: Whose) {
  return await sql\`select * from ai_threads where id = \${whose.id} and user_id = \${whose.userId}\`.execute(db);
}`;
    expect(unscopedIn('x.ts', text)).toEqual(['x.ts getThread']);
    expect(
      files.flatMap(({ text: code }) => piecesOf(code)).filter(({ code }) => OWN.test(code)).length,
    ).toBeGreaterThan(15);
  });
});
