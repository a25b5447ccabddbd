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
  if (question.type === 'number')
    return [`#${question.answer}${question.tolerance === '0' ? '' : `:${question.tolerance}`}`];
  if (question.type === 'ordering' || question.type === 'gaps') return undefined;
  if (question.type === 'matching')
    return question.pairs.some(({ prompt }) => prompt.includes('->'))
      ? undefined
      : question.pairs.map(({ prompt, answer }) => `=${escaped(prompt)} -> ${escaped(answer)}`);
  if (question.type === 'text')
    return question.answers.some((answer) => answer.includes('->'))
      ? undefined
      : question.answers.map((answer) => `=${escaped(answer).replaceAll('*', '\\*')}`);
  const right = question.options.filter(({ isRight }) => isRight).length;
  const share = String(Number((100 / right).toFixed(5)));
  return question.options.map(({ text, isRight, feedback }) => {
    const mark = right === 1 ? (isRight ? '=' : '~') : isRight ? `~%${share}%` : '~%-100%';
    return `${mark}${escaped(text)}${feedback === '' ? '' : `#${escaped(feedback)}`}`;
  });
}

function escaped(text: string): string {
  return text.replace(/[\\~=#{}:]/g, '\\$&').replaceAll('\n', '\\n');
}
