import { describe, expect, it } from 'vitest';
import { AppError } from '#server/errors.ts';
import { HOSTILE_READERS, hostileFiles } from '#server/test/factories/hostile-questions.ts';
import { readQuestionFile } from './question-file.format.ts';
import { writeQuestion } from './question-markdown.format.ts';

/** A file has 5 s; some more pass until the question at hand is read, on a busy machine. */
const MAX_MS = 7_000;

/** Reads a file and writes its first questions as an import does. A refused file has none. */
async function importFile(text: string): Promise<void> {
  try {
    const { questions } = await readQuestionFile('file', Buffer.from(text));
    for (const { question } of questions.slice(0, 20)) writeQuestion(question);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

describe('a hostile file', () => {
  it.each(HOSTILE_READERS)('does not keep the reader busy: %s', { timeout: 300_000 }, async (reader) => {
    const slow: string[] = [];
    for (const { name, text } of hostileFiles(reader)) {
      const before = process.cpuUsage().user; // other processes share the processor
      await importFile(text);
      const usedMs = (process.cpuUsage().user - before) / 1000;
      if (usedMs >= MAX_MS) slow.push(`${name}: ${usedMs} ms`);
    }
    expect(slow).toEqual([]);
  });
});
