import { data } from 'react-router';
import { checkAnswer } from '@officium/contract/answers';
import type { act } from '../../server/api.ts';
import { chosenLanguage } from './languages.ts';
import type { QuizAnswer } from './quiz-result.ts';

type Path = { courseSlug: string; journeySlug: string; lessonSlug: string };

/** Checks the answer of a question's form. The form stands in the text, so a refusal is shown there too. */
export async function answerQuestion({ attempt, fields, locale, url }: Awaited<ReturnType<typeof act>>, path: Path) {
  const textOf = (name: string) => String(fields.get(name) ?? '');
  const choice = fields.getAll('choice').map(Number);
  const places = fields.getAll('place').map(Number);
  const given = { quiz: textOf('quiz'), choice, text: textOf('text'), places, gaps: fields.getAll('gap').map(String) };
  const checked = await attempt(checkAnswer, {
    params: path,
    body: { ...given, revision: textOf('revision'), locale: chosenLanguage(url) ?? locale },
  });
  const answer: QuizAnswer = checked.ok
    ? { ...given, verdict: checked.body }
    : { ...given, problem: checked.failure.message };
  return data({ answered: answer }, { status: checked.ok ? 200 : checked.failure.status });
}
