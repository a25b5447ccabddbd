import { MAX_THREAD_MESSAGES, type Reference, type Thread, type WholeAnswer } from '@officium/contract/ai';
import { openCourseSlugs } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { totalOf } from '#server/db/total.ts';
import { inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import {
  type AssistantAnswer,
  answerQuestion,
  type LessonQuestion,
  type OpenQuestion,
  openQuestion,
} from './answer.service.ts';
import * as threads from './thread.repository.ts';

const TITLE_LENGTH = 120;

/** Makes URLs absolute. Paths are stored, so that they stay valid when the site moves. */
function toReferences(ctx: Ctx, references: Reference[]): Reference[] {
  return references.map(({ url, ...reference }) => ({ ...reference, url: ctx.config.publicUrl + url }));
}

/** Stores question and answer in the viewer's conversation. */
async function storeExchange(
  ctx: Ctx,
  viewer: UserViewer,
  { query, lessonKey }: OpenQuestion,
  { answer, references, madeBy }: AssistantAnswer,
): Promise<WholeAnswer> {
  return await inTransaction(ctx.db, async (trx) => {
    const title = [...query.replace(/\s+/g, ' ')].slice(0, TITLE_LENGTH).join('');
    const { id } = await threads.openThread(trx, { userId: viewer.id, lessonKey, title });
    await threads.insertExchange(trx, { threadId: id, question: query, answer, quotations: references, madeBy });
    return { answer, references: toReferences(ctx, references), threadId: id, madeBy };
  });
}

/** Answers a question about a lesson with the viewer's access. The returned function stores the exchange. */
export async function askLesson(
  ctx: Ctx,
  viewer: UserViewer,
  input: LessonQuestion,
): Promise<(ctx: Ctx) => Promise<WholeAnswer>> {
  const question = await openQuestion(ctx, viewer, input);
  const answers = answerQuestion(ctx, viewer, question);
  let step = await answers.next();
  while (!step.done) step = await answers.next();
  const answer = step.value;
  return (keepingCtx) => storeExchange(keepingCtx, viewer, question, answer);
}

export type AnswerEvent = { event: string; data: object };

/** Like `askLesson`, but streams the answer. Refusals are thrown before the first event. */
export async function streamAnswer(
  ctx: Ctx,
  viewer: UserViewer,
  input: LessonQuestion,
  gone: AbortSignal,
): Promise<AsyncGenerator<AnswerEvent, void, void>> {
  const question = await openQuestion(ctx, viewer, input);
  return streamEvents(ctx, viewer, question, gone);
}

async function* streamEvents(
  ctx: Ctx,
  viewer: UserViewer,
  question: OpenQuestion,
  gone: AbortSignal,
): AsyncGenerator<AnswerEvent, void, void> {
  try {
    const answers = answerQuestion(ctx, viewer, question, gone);
    let step = await answers.next();
    for (; !step.done; step = await answers.next())
      yield { event: 'sentence', data: { ...step.value, references: toReferences(ctx, step.value.references) } };
    yield { event: 'answer', data: await storeExchange(ctx, viewer, question, step.value) };
  } catch (error) {
    if (gone.aborted) return; // the client has left
    // The status was already sent with the first event.
    ctx.log.error({ err: error }, 'question not answered');
    yield { event: 'failed', data: {} };
  }
}

export async function listThreads(
  ctx: Ctx,
  viewer: UserViewer,
  { lesson, ...page }: { limit: number; offset: number; lesson?: string | undefined },
): Promise<{ threads: Thread[]; total: number; hasModel: boolean }> {
  const owner = { userId: viewer.id, courses: openCourseSlugs(viewer), lesson };
  const rows = await threads.findThreads(ctx.db, { ...owner, ...page, messages: MAX_THREAD_MESSAGES });
  return {
    threads: rows.map(({ created_at, messages, ...thread }) => ({
      ...thread,
      messages: messages.map((message) => ({ ...message, references: toReferences(ctx, message.references) })),
      createdAt: created_at.toISOString(),
    })),
    total: await totalOf(page, rows, async () => await threads.countThreads(ctx.db, owner)),
    hasModel: ctx.languageModel !== undefined,
  };
}

export async function deleteThread(ctx: Ctx, viewer: UserViewer, id: string): Promise<void> {
  const owner = { userId: viewer.id, courses: openCourseSlugs(viewer) };
  if (!(await threads.deleteThread(ctx.db, { id, ...owner }))) throw notFound();
}
