import { unescapeHtml } from '#server/text/html.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import { plainToMarkdown } from './html-markdown.format.ts';
import { writeCloze } from './moodle-cloze.format.ts';
import { escapeXml, toXml } from './markup-tree.format.ts';
import type { PortableQuestion, PortableRemark } from './question.policy.ts';

const TYPES = {
  choice: 'multichoice',
  'true-false': 'truefalse',
  number: 'numerical',
  text: 'shortanswer',
  matching: 'matching',
  ordering: 'ordering',
  gaps: 'cloze',
  open: 'essay',
} as const;

/** Writes questions as Moodle XML, with texts in Markdown. */
export function writeMoodleXml(questions: readonly PortableQuestion[]): string {
  const written = questions.map((question) => `${questionXml(question)}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${written.join('')}</quiz>\n`;
}

const text = (value: string) => toXml('text', {}, escapeXml(value));
const markdown = (name: string, value: string) => toXml(name, { format: 'markdown' }, text(value));

function questionXml(question: PortableQuestion): string {
  const { name, tags, feedback } = question;
  return toXml(
    'question',
    { type: TYPES[question.type] },
    toXml('name', {}, text(name)),
    markdown('questiontext', textOf(question)),
    markdown('generalfeedback', feedback),
    toXml('defaultgrade', {}, String(question.points)),
    ...keyXml(question),
    question.hint === '' ? undefined : toXml('hint', { format: 'plain_text' }, text(question.hint)),
    tags.length === 0 ? undefined : toXml('tags', {}, ...tags.map((tag) => toXml('tag', {}, text(tag)))),
  );
}

function textOf(question: PortableQuestion): string {
  return question.type === 'gaps' ? writeCloze(question.text, question.gaps, question.isCaseSensitive) : question.text;
}

function keyXml(question: PortableQuestion): string[] {
  if (question.type === 'gaps') return [];
  if (question.type === 'open') return openXml(question);
  if (question.type === 'text')
    return [
      toXml('usecase', {}, question.isCaseSensitive ? '1' : '0'),
      ...typedAnswers(question.answers, question.remarks).map(({ answer, fraction, feedback }) =>
        toXml(
          'answer',
          { fraction, format: 'moodle_auto_format' },
          text(answer.replaceAll('*', '\\*')),
          feedback === '' ? undefined : markdown('feedback', feedback),
        ),
      ),
    ];
  if (question.type === 'number')
    return typedAnswers([question.answer], question.remarks).map(({ answer, fraction, feedback }) =>
      toXml(
        'answer',
        { fraction },
        text(answer),
        toXml('tolerance', {}, escapeXml(fraction === '100' ? question.tolerance : '0')),
        feedback === '' ? undefined : markdown('feedback', feedback),
      ),
    );
  if (question.type === 'true-false')
    return ['true', 'false'].map((value) =>
      toXml('answer', { fraction: String(question.answer) === value ? '100' : '0' }, text(value)),
    );
  if (question.type === 'matching') return pairsXml(question);
  if (question.type === 'ordering')
    return [
      toXml('layouttype', {}, 'VERTICAL'),
      toXml('selecttype', {}, 'ALL'),
      toXml('gradingtype', {}, 'RELATIVE_NEXT_EXCLUDE_LAST'),
      ...question.items.map((item) => toXml('answer', { fraction: '1', format: 'markdown' }, text(item.text))),
    ];
  const right = question.options.filter(({ isRight }) => isRight).length;
  const share = right === 1 ? '100' : (100 / right).toFixed(5);
  return [
    toXml('single', {}, right === 1 ? 'true' : 'false'),
    toXml('shuffleanswers', {}, 'false'),
    ...question.options.map((option) =>
      toXml(
        'answer',
        { fraction: option.isRight ? share : right === 1 ? '0' : '-100', format: 'markdown' },
        text(option.text),
        option.feedback === '' ? undefined : markdown('feedback', option.feedback),
      ),
    ),
  ];
}

/** Accepted answers, then wrong ones with feedback, which are worth nothing. */
function typedAnswers(answers: readonly string[], remarks: readonly PortableRemark[]) {
  const of = (answer: string) => remarks.find((remark) => remark.answer === answer)?.feedback ?? '';
  const wrong = remarks.filter(({ answer }) => !answers.includes(answer));
  return [
    ...answers.map((answer) => ({ answer, fraction: '100', feedback: of(answer) })),
    ...wrong.map((remark) => ({ ...remark, fraction: '0' })),
  ];
}

function openXml({ criteria, words }: Extract<PortableQuestion, { type: 'open' }>): string[] {
  const notes = criteria.map((criterion) => `- [${criterion.points}] ${criterion.text}`).join('\n');
  return [
    toXml('responseformat', {}, 'plain'),
    toXml('responserequired', {}, '1'),
    toXml('attachments', {}, '0'),
    ...(words === undefined ? [] : [toXml('maxwordlimit', {}, String(words))]),
    ...(notes === '' ? [] : [markdown('graderinfo', notes)]),
  ];
}

function pairsXml({ pairs, others }: Extract<PortableQuestion, { type: 'matching' }>): string[] {
  const pairXml = (prompt: string, answer: string) =>
    toXml('subquestion', { format: 'markdown' }, text(prompt), answerXml(answer));
  return [
    toXml('shuffleanswers', {}, 'true'),
    ...pairs.map(({ prompt, answer }) => pairXml(prompt, answer)),
    ...others.map((answer) => pairXml('', answer)),
  ];
}

/** Moodle shows an answer as plain text, so only one with markup is written as Markdown. */
function answerXml(answer: string): string {
  const plain = unescapeHtml(stripMarkup(renderMarkdown(answer).html));
  return plainToMarkdown(plain) === answer
    ? toXml('answer', {}, text(plain))
    : toXml('answer', { format: 'markdown' }, text(answer));
}
