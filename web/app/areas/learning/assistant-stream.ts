import type { AnswerSentence, WholeAnswer } from '@officium/contract/ai';
import type { Asking } from './assistant.load.ts';

/** Of `streamAnswer`. Written out, as the contract itself would bring its schemas along. */
const ADDRESS = '/api/ai/learners/me/queries/stream';

/**
 * Asks and hands over each sentence as it comes. Answers the whole, undefined when there is none: the question is then
 * to be asked in the usual way, which says why.
 */
export async function askAloud(
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
      if (event === 'sentence') onSentence(data as AnswerSentence); // as the contract says
      if (event === 'answer') return data as WholeAnswer; // as the contract says
    }
  } catch (error) {
    // The network broke off, or the page was left; what is wrong with the question itself is found by asking again.
    if (!signal.aborted) console.warn(error);
  }
  return undefined;
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader(); // its types differ by one kind of buffer
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event && data) yield { event, data: JSON.parse(data) as unknown }; // parsed by who reads it
    }
  }
}
