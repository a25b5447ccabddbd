import { Readable } from 'node:stream';
import { MAX_LESSON_BYTES } from '@officium/contract/authoring';
import type { Locale } from '@officium/contract/common';
import { MAX_QUESTION_PROBLEMS, type QuestionFormat, type QuestionImport } from '@officium/contract/question-files';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { docOf, openAs, openToChange } from '#server/areas/authoring/piece-open.service.ts';
import type { StoredDoc } from '#server/areas/authoring/piece.policy.ts';
import { lockPieces, type PieceRow } from '#server/areas/authoring/piece.repository.ts';
import { keep } from '#server/areas/authoring/piece.service.ts';
import { sourceLocaleOf } from '#server/areas/authoring/piece.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { EXTENSIONS, type QuestionFile, writeQuestionFile } from './question-file.format.ts';
import { readQuestions, writeQuestion } from './question-markdown.format.ts';
import { withoutPictures } from './question-pictures.format.ts';
import { type FileProblem, PROBLEM_EFFECTS, readDeadline, type ReadQuestion } from './question.policy.ts';

/** A lesson, or a course with its question bank. */
type Holder = { kind: 'lesson' | 'course'; key: string };
type Held = { row: PieceRow; doc: Extract<StoredDoc, { kind: 'lesson' | 'course' }> };

function heldIn(row: PieceRow): Held {
  const doc = docOf(row);
  if (doc.kind !== 'lesson' && doc.kind !== 'course') throw notFound();
  return { row, doc };
}

/** Throws unless the viewer may add questions to the lesson or the bank. */
export async function requireMayImport(db: Db, viewer: UserViewer, piece: Holder): Promise<void> {
  heldIn(await openAs(db, viewer, piece, 'edit-content'));
}

/** Adds the questions of a file at the end of a text of the draft. A dry run only tells what would be added. */
export async function importQuestions(
  ctx: Ctx,
  actor: UserViewer,
  { kind, key, locale, dryRun }: Holder & { locale?: Locale | undefined; dryRun: boolean },
  file: QuestionFile,
): Promise<QuestionImport> {
  return await inTransaction(ctx.db, async (db) => {
    const piece = { kind, key };
    if (!dryRun) await lockPieces(db, [piece]);
    const { row, doc } = heldIn(await openToChange(db, actor, piece, 'edit-content'));
    const into = locale ?? sourceLocaleOf(row);
    const { blocks, body, problems } = addQuestions(doc.body[into] ?? '', file.questions);
    const all = [...file.problems, ...problems];
    const report = { ...toReport(all), format: file.format, added: blocks.length, text: blocks.join('\n') };
    if (dryRun || blocks.length === 0) return { ...report, version: row.version };
    const next = { ...doc, body: { ...doc.body, [into]: body } };
    const version = await keep(db, actor, piece, row, next, row.version);
    const detail = { language: into, added: blocks.length };
    await recordAction(db, actor, { action: 'content.import-questions', object: key, detail });
    return { ...report, version };
  });
}

/** Adds blocks to a text as far as there is room for them. Importing a corrected file again adds what is new. */
function addQuestions(
  text: string,
  questions: readonly ReadQuestion[],
): { blocks: string[]; body: string; problems: FileProblem[] } {
  const blocks: string[] = [];
  const problems: FileProblem[] = [];
  const known = new Set(readQuestions(text).map((question) => question && writeQuestion(question)));
  let body = text.trimEnd();
  let bytes = Buffer.byteLength(body);
  const deadline = readDeadline(); // the draft is locked
  for (const { question, file, line } of questions) {
    const isLate = performance.now() > deadline;
    const block = isLate ? undefined : writeQuestion(question);
    const size = block === undefined ? 0 : Buffer.byteLength(block) + 2; // the empty line before it
    const at = { file, line, question: question.name || question.text.slice(0, 60), detail: '' };
    if (isLate) problems.push({ ...at, reason: 'room' });
    else if (block === undefined) problems.push({ ...at, reason: 'inexpressible' });
    else if (known.has(block)) problems.push({ ...at, reason: 'duplicate' });
    else if (bytes + size > MAX_LESSON_BYTES) problems.push({ ...at, reason: 'room' });
    else {
      blocks.push(block);
      known.add(block);
      body = body === '' ? block : `${body.trimEnd()}\n\n${block}`;
      bytes += size;
    }
  }
  return { blocks, body, problems };
}

function toReport(problems: readonly FileProblem[]): Pick<QuestionImport, 'problems' | 'problemCount'> {
  const shown = problems.slice(0, MAX_QUESTION_PROBLEMS);
  return {
    problems: shown.map((problem) => ({ ...problem, effect: PROBLEM_EFFECTS[problem.reason] })),
    problemCount: problems.length,
  };
}

/** Writes the questions of the draft, else of the published text, as a file. */
export async function exportQuestions(
  ctx: Ctx,
  viewer: UserViewer,
  { kind, key, format, locale }: Holder & { format: QuestionFormat; locale?: Locale | undefined },
): Promise<{ content: Readable; bytes: number; name: string }> {
  const { row, doc } = heldIn(await openAs(ctx.db, viewer, { kind, key }, 'edit-content'));
  const into = locale ?? sourceLocaleOf(row);
  const questions = readQuestions(doc.body[into] ?? '').flatMap((question) =>
    question ? [withoutPictures(question)] : [],
  );
  const bytes = await writeQuestionFile(format, questions);
  const name = `${doc.slug}-${into}.${EXTENSIONS[format]}`;
  return { content: Readable.from([bytes]), bytes: bytes.length, name };
}
