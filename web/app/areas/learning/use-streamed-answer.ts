import type { AnswerSentence, WholeAnswer } from '@officium/contract/ai';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Answer, Asking } from './assistant.load.ts';
import { streamAnswer } from './assistant-stream.ts';

/** A partial answer. The places of its passages are known only at the end. */
function soFar(sentences: AnswerSentence[]): Answer {
  return {
    sentences: sentences.map(({ text, numbers }) => ({ text, numbers })),
    passages: sentences.flatMap(({ references }) =>
      references.map(({ quote, url, title }) => ({ text: quote, place: { href: pathOf(url), title } })),
    ),
    isFallback: false,
  };
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}

/** Asks a question and streams the answer; `instead` submits it normally when streaming fails. */
export function useStreamedAnswer(asking: Asking, instead: (fields: FormData) => void) {
  const { revalidate } = useRevalidator();
  const [question, setQuestion] = useState<string>();
  const [sentences, setSentences] = useState<AnswerSentence[]>([]);
  const [said, setSaid] = useState<WholeAnswer>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  async function ask(query: string, fields: FormData) {
    const left = new AbortController();
    leaving.current = left;
    setQuestion(query);
    setSentences([]);
    const add = (sentence: AnswerSentence) => setSentences((before) => [...before, sentence]);
    const whole = await streamAnswer({ ...asking, query }, add, left.signal);
    if (left.signal.aborted) return;
    if (whole) {
      await revalidate();
      setSaid(whole);
    } else instead(fields);
    setQuestion(undefined);
    setSentences([]);
  }
  return { question, answer: soFar(sentences), said, ask };
}
