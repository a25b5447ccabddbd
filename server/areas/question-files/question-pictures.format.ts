import { cleanLine, cleanMarkdown } from './html-markdown.format.ts';
import type { PortableQuestion } from './question.policy.ts';

/** Pictures of a question are files of its course, which a file of questions does not hold. */
export function withoutPictures(question: PortableQuestion): PortableQuestion {
  const clean = { ...question, text: cleanMarkdown(question.text), feedback: cleanMarkdown(question.feedback) };
  if (clean.type === 'matching') {
    const pairs = clean.pairs.map(({ prompt, answer, feedback }) => ({
      prompt: cleanLine(prompt),
      answer: cleanLine(answer),
      feedback: cleanMarkdown(feedback),
    }));
    return { ...clean, pairs, others: clean.others.map((answer) => cleanLine(answer)) };
  }
  if (clean.type === 'ordering') {
    const items = clean.items.map(({ text, feedback }) => ({
      text: cleanLine(text),
      feedback: cleanMarkdown(feedback),
    }));
    return { ...clean, items };
  }
  if (clean.type === 'gaps') {
    const gaps = clean.gaps.map((gap) => ({ ...gap, feedback: cleanMarkdown(gap.feedback) }));
    return { ...clean, gaps };
  }
  if (clean.type === 'open')
    return { ...clean, criteria: clean.criteria.map(({ text, points }) => ({ text: cleanLine(text), points })) };
  if (clean.type === 'number' || clean.type === 'text') {
    const told = clean.remarks.map(({ answer, feedback }) => ({ answer, feedback: cleanMarkdown(feedback) }));
    return { ...clean, remarks: told.filter(({ feedback }) => feedback !== '') };
  }
  if (clean.type !== 'choice') return clean;
  const options = clean.options.map(({ text, isRight, feedback }) => ({
    text: cleanLine(text),
    isRight,
    feedback: cleanMarkdown(feedback),
  }));
  return { ...clean, options };
}
