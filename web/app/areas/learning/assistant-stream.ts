import type { AnswerSentence, WholeAnswer } from '@officium/contract/ai';
import type { Asking } from './assistant.load.ts';

/** The path of `streamAnswer`. Written out, because importing the contract would bring its schemas along. */
const ADDRESS = '/api/ai/learners/me/queries/stream';

/**
 * Asks a question and calls `onSentence` for each sentence. Returns the whole answer, or undefined when there is none:
 * the caller then submits the question normally, which reports the reason.
 */
export async function streamAnswer(
  question: Asking & { query: string },
  onSentence: (sentence: AnswerSentence) => void,
  signal: AbortSignal,
): Promise<WholeAnswer | undefined> {
  try {
    const reply = await fetch(ADDRESS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal,
    });
    if (!reply.ok || !reply.body) return undefined;
    for await (const { event, data } of eventsOf(reply.body)) {
      if (event === 'sentence') onSentence(data as AnswerSentence); // shape: the contract
      if (event === 'answer') return data as WholeAnswer; // shape: the contract
    }
  } catch (error) {
    // The connection broke or the page was left. Errors in the question itself surface when it is submitted normally.
    if (!signal.aborted) console.warn(error);
  }
  return undefined;
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader(); // the two types differ in their kind of buffer
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event && data) yield { event, data: JSON.parse(data) as unknown }; // typed by the caller
    }
  }
}
