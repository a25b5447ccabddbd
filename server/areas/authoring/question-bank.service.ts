import type { LocalizedText } from '@officium/contract/common';
import type { Db } from '#server/db/client.ts';
import type { PieceKey } from './piece.policy.ts';
import type { PieceRow } from './piece.repository.ts';
import { type DrawingLesson, findBank, findDrawingLessons } from './question-bank.repository.ts';

/** The published bank that a lesson may draw from, or the lessons that draw from the bank of a course. */
export type BankAround = { questions: LocalizedText; lessons: DrawingLesson[] };

export async function bankAround(db: Db, { kind, key }: PieceKey, row: PieceRow): Promise<BankAround> {
  return {
    questions: kind === 'lesson' && row.courseId !== null ? await findBank(db, row.courseId) : {},
    lessons: kind === 'course' ? await findDrawingLessons(db, key) : [],
  };
}
