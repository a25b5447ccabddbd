import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('..', import.meta.url));
/** Tables with records of a single person: conversations with the assistant, learning and certificates. */
const OWN =
  /\b(?:from|join|update|into)\s+(?:ai_threads|ai_messages|lesson_completions|certificates)\b|'(?:ai_threads|ai_messages|lesson_completions|certificates)( as \w+)?'\)/;

/** Functions that select these rows by something other than the person, and why they may. */
const EXCEPTIONS: Record<string, string> = {
  'areas/admin/issued-certificate.repository.ts hasIssued':
    'whether a token names a certificate, which anyone may verify',
  'areas/ai/thread.repository.ts latestMessages': 'of a thread that the statement around it selects by its owner',
  'integrity/counters.ts FIGURES': 'rebuilds totals over everyone',
  'areas/ai/thread.repository.ts insertExchange': 'into a conversation created for the viewer in this transaction',
  'areas/certificates/certificate.repository.ts revokeByNumber': 'by its public number, for an administrator',
  'areas/certificates/certificate.repository.ts revokeRow': 'by the id of a row locked before',
  'areas/certificates/certificate-file.repository.ts insertCertificateFile': 'the hash of a PDF that is being issued',
  'areas/certificates/certificate-file.repository.ts hasCertificateFile':
    'anyone with the file may check that it is authentic',
  'areas/admin/learning-month.repository.ts findMonths': 'the first month of all records, for a job',
  'areas/certificates/certificate.repository.ts getPublicCertificate': 'anyone with the number may verify it',
};

/** The functions and constants of a file, by name. */
function piecesOf(text: string): { name: string; code: string }[] {
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function\*?|const) (\w+)/gm)];
  return starts.map(({ index, 1: name = '' }, nth) => ({ name, code: text.slice(index, starts[nth + 1]?.index) }));
}

/** Whether the code restricts rows to a person. */
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

describe('statements on records of one person', () => {
  it('filter by the person, except for the listed ones', () => {
    const found = files.flatMap(({ file, text }) => unscopedIn(file, text));
    expect(found.filter((piece) => !Object.hasOwn(EXCEPTIONS, piece))).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((piece) => !found.includes(piece))).toEqual([]);
  });

  it('are detected when the person is missing', () => {
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
