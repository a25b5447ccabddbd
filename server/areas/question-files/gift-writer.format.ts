import type { PortableQuestion } from './question.policy.ts';

/** Writes questions as GIFT, with texts in Markdown. Undefined for a question that GIFT cannot hold. */
export function writeGift(question: PortableQuestion): string | undefined {
  const answers = answersOf(question);
  if (answers === undefined) return undefined;
  const tags = question.tags.map((tag) => `[tag:${tag.replace(/[\]\\]/g, '\\$&')}]`).join(' ');
  const general = question.feedback === '' ? [] : [`####${escaped(question.feedback)}`];
  const name = question.name === '' ? '' : `::${escaped(question.name)}::`;
  const lines = [`${name}[markdown]${escaped(question.text)}{${[...answers, ...general].join('\n')}}`];
  return `${tags === '' ? '' : `// ${tags}\n`}${lines.join('')}\n`;
}

function answersOf(question: PortableQuestion): string[] | undefined {
  if (question.type === 'open') return [];
  if (question.type === 'true-false') return [question.answer ? 'TRUE' : 'FALSE'];
  if (question.type === 'number') return numberAnswers(question);
  if (question.type === 'ordering' || question.type === 'gaps') return undefined;
  if (question.type === 'matching')
    return question.pairs.some(({ prompt }) => prompt.includes('->'))
      ? undefined
      : question.pairs.map(({ prompt, answer }) => `=${escaped(prompt)} -> ${escaped(answer)}`);
  if (question.type === 'text')
    return [...question.answers, ...question.remarks.map(({ answer }) => answer)].some((answer) =>
      answer.includes('->'),
    )
      ? undefined
      : shortAnswers(question);
  const right = question.options.filter(({ isRight }) => isRight).length;
  const share = String(Number((100 / right).toFixed(5)));
  return question.options.map(({ text, isRight, feedback }) => {
    const mark = right === 1 ? (isRight ? '=' : '~') : isRight ? `~%${share}%` : '~%-100%';
    return `${mark}${escaped(text)}${feedback === '' ? '' : `#${escaped(feedback)}`}`;
  });
}

const told = (feedback: string | undefined) => (feedback ? `#${escaped(feedback)}` : '');

/** Wrong answers with feedback have a weight of 0. */
function numberAnswers({ answer, tolerance, remarks }: Extract<PortableQuestion, { type: 'number' }>): string[] {
  const around = tolerance === '0' ? '' : `:${tolerance}`;
  if (remarks.length === 0) return [`#${answer}${around}`];
  const own = remarks.find((remark) => remark.answer === answer)?.feedback;
  const wrong = remarks.filter((remark) => remark.answer !== answer);
  return ['#', `=${answer}${around}${told(own)}`, ...wrong.map((each) => `=%0%${each.answer}${told(each.feedback)}`)];
}

function shortAnswers({ answers, remarks }: Extract<PortableQuestion, { type: 'text' }>): string[] {
  const written = (answer: string) => escaped(answer).replaceAll('*', '\\*');
  const of = (answer: string) => remarks.find((remark) => remark.answer === answer)?.feedback;
  const wrong = remarks.filter(({ answer }) => !answers.includes(answer));
  return [
    ...answers.map((answer) => `=${written(answer)}${told(of(answer))}`),
    ...wrong.map((each) => `=%0%${written(each.answer)}${told(each.feedback)}`),
  ];
}

function escaped(text: string): string {
  return text.replace(/[\\~=#{}:]/g, '\\$&').replaceAll('\n', '\\n');
}
