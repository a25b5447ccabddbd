import { renderMarkdown } from '#server/text/markdown.ts';
import { escapeXml, type MarkupNode, parseHtml, toXml } from './markup-tree.format.ts';
import type { PortableQuestion } from './question.policy.ts';

const XMLNS = 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0';
const RESPONSE = 'RESPONSE';

/** Writes a question as an item of QTI 3.0. */
export function writeQtiItem(question: PortableQuestion, identifier: string): string {
  const feedback = question.feedback === '' ? undefined : generalFeedback(question.feedback);
  const hasInline = inlineFeedbackOf(question).some((own) => own !== '');
  const item = toXml(
    'qti-assessment-item',
    { xmlns: XMLNS, identifier, title: question.name, adaptive: 'false', 'time-dependent': 'false' },
    declarationOf(question),
    scoreOutcome(question.points),
    hasInline ? outcome('CHOSEN', 'identifier', undefined, 'multiple') : undefined,
    feedback === undefined
      ? undefined
      : outcome('FEEDBACK', 'identifier', toXml('qti-default-value', {}, toXml('qti-value', {}, 'general'))),
    toXml(
      'qti-item-body',
      question.hint === '' ? {} : { 'data-hint': question.hint },
      textOf(question),
      interactionOf(question),
      question.type === 'open' ? rubricOf(question) : undefined,
    ),
    processingOf(question, hasInline && question.type === 'choice'),
    feedback,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${item}\n`;
}

/** Feedback inside an interaction. Only that of chosen options has a rule that shows it; other feedback is kept for readers. */
function inlineFeedbackOf(question: PortableQuestion): string[] {
  if (question.type === 'choice') return question.options.map(({ feedback }) => feedback);
  if (question.type === 'matching') return question.pairs.map(({ feedback }) => feedback);
  return question.type === 'ordering' ? question.items.map(({ feedback }) => feedback) : [];
}

function scoreOutcome(points: number): string {
  const own = { identifier: 'SCORE', cardinality: 'single', 'base-type': 'float', 'normal-maximum': String(points) };
  return toXml('qti-outcome-declaration', own, toXml('qti-default-value', {}, toXml('qti-value', {}, '0')));
}

function outcome(identifier: string, type: string, content?: string, cardinality = 'single'): string {
  return toXml('qti-outcome-declaration', { identifier, cardinality, 'base-type': type }, content);
}

function generalFeedback(source: string): string {
  const shown = { 'outcome-identifier': 'FEEDBACK', 'show-hide': 'show', identifier: 'general' };
  return toXml('qti-modal-feedback', shown, toXml('qti-content-body', {}, xhtml(source)));
}

function identifierOf(at: number): string {
  return `option-${at + 1}`;
}

const values = (all: readonly string[]) =>
  toXml('qti-correct-response', {}, ...all.map((value) => toXml('qti-value', {}, escapeXml(value))));

type Sensitivity = { isCaseSensitive: boolean; isAccentSensitive: boolean };

/** Each accepted answer is worth `value`. */
function stringDeclaration(
  identifier: string,
  { answers }: { answers: readonly string[] },
  value: number,
  { isCaseSensitive, isAccentSensitive }: Sensitivity,
): string {
  const entries = answers.map((answer) =>
    toXml('qti-map-entry', {
      'map-key': answer,
      'mapped-value': rounded(value),
      'case-sensitive': String(isCaseSensitive),
    }),
  );
  const mapping = toXml('qti-mapping', { 'default-value': '0' }, ...entries);
  const own: Record<string, string> = isAccentSensitive ? { 'data-accents': 'true' } : {};
  return toXml(
    'qti-response-declaration',
    { identifier, cardinality: 'single', 'base-type': 'string', ...own },
    values(answers.slice(0, 1)),
    mapping,
  );
}

const rounded = (value: number) => String(Number(value.toFixed(6)));
const gapIdentifier = (at: number) => `GAP_${at + 1}`;

function declarationOf(question: PortableQuestion): string {
  if (question.type === 'gaps') {
    const share = question.points / question.gaps.length;
    return question.gaps.map((gap, at) => stringDeclaration(gapIdentifier(at), gap, share, question)).join('');
  }
  const declare = (cardinality: string, type: string, attributes: Record<string, string>, ...content: string[]) =>
    toXml(
      'qti-response-declaration',
      { identifier: RESPONSE, cardinality, 'base-type': type, ...attributes },
      ...content,
    );
  if (question.type === 'open') return declare('single', 'string', {});
  if (question.type === 'number') return declare('single', 'float', {}, values([question.answer]));
  if (question.type === 'true-false') return declare('single', 'identifier', {}, values([String(question.answer)]));
  if (question.type === 'text') return stringDeclaration(RESPONSE, question, question.points, question);
  if (question.type === 'matching') return declare('multiple', 'directedPair', {}, ...pairValues(question));
  if (question.type === 'ordering')
    return declare('ordered', 'identifier', {}, values(question.items.map((_, at) => identifierOf(at))));
  const right = question.options.flatMap(({ isRight }, at) => (isRight ? [identifierOf(at)] : []));
  return declare(right.length > 1 ? 'multiple' : 'single', 'identifier', {}, values(right));
}

/** The text of a question, with the gaps in it. Markdown shows their numbers as they are written. */
function textOf(question: PortableQuestion): string {
  const text = xhtml(question.text);
  if (question.type !== 'gaps') return text;
  return text.replace(/\[(\d{1,2})\]/g, (_, number: string) =>
    toXml('qti-text-entry-interaction', { 'response-identifier': gapIdentifier(Number(number) - 1) }),
  );
}

function interactionOf(question: PortableQuestion): string | undefined {
  if (question.type === 'gaps') return undefined;
  if (question.type === 'number' || question.type === 'text')
    return toXml('p', {}, toXml('qti-text-entry-interaction', { 'response-identifier': RESPONSE }));
  if (question.type === 'open') return openInteraction(question);
  if (question.type === 'matching') return matchInteraction(question);
  if (question.type === 'ordering') return orderInteraction(question);
  const options =
    question.type === 'true-false'
      ? ['true', 'false'].map((value) => toXml('qti-simple-choice', { identifier: value }, value))
      : question.options.map(({ text, feedback }, at) => {
          const identifier = identifierOf(at);
          return toXml('qti-simple-choice', { identifier }, xhtml(text), inlineFeedback(feedback, identifier));
        });
  const isMany = question.type === 'choice' && question.options.filter(({ isRight }) => isRight).length > 1;
  const attributes = { 'response-identifier': RESPONSE, 'max-choices': isMany ? '0' : '1', shuffle: 'false' };
  return toXml('qti-choice-interaction', attributes, ...options);
}

type Open = Extract<PortableQuestion, { type: 'open' }>;

function openInteraction({ words }: Open): string {
  const limit: Record<string, string> = words === undefined ? {} : { 'data-words': String(words) };
  return toXml('qti-extended-text-interaction', { 'response-identifier': RESPONSE, ...limit });
}

/** Only scorers see the criteria, each with the points that it begins with. */
function rubricOf({ criteria }: Open): string | undefined {
  if (criteria.length === 0) return undefined;
  const items = criteria.map(({ text, points }) => toXml('li', {}, `[${points}] `, xhtml(text)));
  return toXml(
    'qti-rubric-block',
    { use: 'scoring', view: 'scorer' },
    toXml('qti-content-body', {}, toXml('ul', {}, ...items)),
  );
}

type Matching = Extract<PortableQuestion, { type: 'matching' }>;

/** The different answers, in the order of the pairs. */
const answersOf = ({ pairs, others }: Matching) => [...new Set([...pairs.map(({ answer }) => answer), ...others])];

function pairValues(question: Matching): string[] {
  const answers = answersOf(question);
  const pairs = question.pairs.map(({ answer }, at) => `prompt-${at + 1} answer-${answers.indexOf(answer) + 1}`);
  const share = rounded(question.points / pairs.length);
  const entries = pairs.map((pair) => toXml('qti-map-entry', { 'map-key': pair, 'mapped-value': share }));
  return [values(pairs), toXml('qti-mapping', { 'default-value': '0' }, ...entries)];
}

function matchInteraction(question: Matching): string {
  const prompts = question.pairs.map(({ prompt, feedback }, at) =>
    toXml(
      'qti-simple-associable-choice',
      { identifier: `prompt-${at + 1}`, 'match-max': '1' },
      xhtml(prompt),
      inlineFeedback(feedback, `prompt-${at + 1}`),
    ),
  );
  const answers = answersOf(question).map((answer, at) =>
    toXml('qti-simple-associable-choice', { identifier: `answer-${at + 1}`, 'match-max': '0' }, xhtml(answer)),
  );
  const attributes = { 'response-identifier': RESPONSE, 'max-associations': '0', shuffle: 'true' };
  const sets = [prompts, answers].map((choices) => toXml('qti-simple-match-set', {}, ...choices));
  return toXml('qti-match-interaction', attributes, ...sets);
}

/** Written in the right order; `shuffle` lets a player show another one. */
function orderInteraction({ items }: Extract<PortableQuestion, { type: 'ordering' }>): string {
  const choices = items.map(({ text, feedback }, at) =>
    toXml(
      'qti-simple-choice',
      { identifier: identifierOf(at) },
      xhtml(text),
      inlineFeedback(feedback, identifierOf(at)),
    ),
  );
  return toXml('qti-order-interaction', { 'response-identifier': RESPONSE, shuffle: 'true' }, ...choices);
}

function inlineFeedback(feedback: string, identifier: string): string | undefined {
  const shown = { 'outcome-identifier': 'CHOSEN', 'show-hide': 'show', identifier };
  return feedback === '' ? undefined : toXml('qti-feedback-inline', shown, xhtml(feedback));
}

const variable = toXml('qti-variable', { identifier: RESPONSE });
const score = (content: string) => toXml('qti-set-outcome-value', { identifier: 'SCORE' }, content);

function processingOf(question: PortableQuestion, hasInline: boolean): string {
  const chosen = toXml(
    'qti-set-outcome-value',
    { identifier: 'CHOSEN' },
    isSingle(question) ? toXml('qti-multiple', {}, variable) : variable,
  );
  if (question.type === 'gaps') {
    const parts = question.gaps.map((_, at) => toXml('qti-map-response', { identifier: gapIdentifier(at) }));
    return toXml('qti-response-processing', {}, score(toXml('qti-sum', {}, ...parts)));
  }
  if (question.type === 'open') return '';
  const rule =
    question.type === 'text' || question.type === 'matching'
      ? score(toXml('qti-map-response', { identifier: RESPONSE }))
      : matchRule(question);
  return toXml('qti-response-processing', {}, rule, hasInline ? chosen : undefined);
}

function isSingle(question: PortableQuestion): boolean {
  return question.type !== 'choice' || question.options.filter(({ isRight }) => isRight).length === 1;
}

function matchRule(question: PortableQuestion): string {
  const correct = toXml('qti-correct', { identifier: RESPONSE });
  const mode =
    question.type === 'number' && question.tolerance !== '0'
      ? { 'tolerance-mode': 'absolute', tolerance: `${question.tolerance} ${question.tolerance}` }
      : { 'tolerance-mode': 'exact' };
  const test =
    question.type === 'number'
      ? toXml('qti-equal', mode, variable, correct)
      : toXml('qti-match', {}, variable, correct);
  const one = score(toXml('qti-base-value', { 'base-type': 'float' }, String(question.points)));
  return toXml('qti-response-condition', {}, toXml('qti-response-if', {}, test, one));
}

const KEPT = new Set(
  'p br strong em code pre ul ol li blockquote a h1 h2 h3 h4 h5 h6 hr table thead tbody tr th td del sub sup'.split(
    ' ',
  ),
);

/** Renders Markdown as the well-formed HTML of QTI. Pictures stay out, because a package has no files of the course. */
function xhtml(source: string): string {
  return source === '' ? '' : parseHtml(renderMarkdown(source).html).children.map(nodeXml).join('');
}

function nodeXml(child: MarkupNode | string): string {
  if (typeof child === 'string') return escapeXml(child);
  const content = child.children.map(nodeXml).join('');
  if (!KEPT.has(child.name)) return content;
  const href = child.name === 'a' ? { href: child.attributes['href'] } : {};
  return child.name === 'br' || child.name === 'hr' ? toXml(child.name) : toXml(child.name, href, content);
}
