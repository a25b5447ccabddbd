import { matchingKey, numberKey, openKey, textKey } from './question-key.policy.ts';
import { nodeToLine, nodeToMarkdown, plainToMarkdown } from './html-markdown.format.ts';
import { descendants, element, elements, type MarkupNode, sizeOf, textIn } from './markup-tree.format.ts';
import {
  type Common,
  type Note,
  pointsIn,
  type PortableCriterion,
  type PortableItem,
  type PortableQuestion,
  QuestionCollector,
  type QuestionsRead,
} from './question.policy.ts';

const INTERACTION = /-interaction$/;
/** Parts of a text that only some see, or that are no text. */
const APART = new Set([
  'feedback-inline',
  'feedback-block',
  'modal-feedback',
  'rubric-block',
  'stylesheet',
  'template-block',
]);

type Key<T> = T extends PortableQuestion ? Omit<T, 'name' | 'tags' | 'points' | 'hint' | 'text' | 'feedback'> : never;
/** An item with the parts that all readers need. */
type Item = { interaction: MarkupNode; declaration: MarkupNode | undefined; node: MarkupNode };

/** QTI 2 writes `choiceInteraction` and `responseIdentifier`, QTI 3 `qti-choice-interaction` and `response-identifier`. */
const kebab = (name: string) =>
  name.replace(/^qti-/, '').replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '-'}${letter.toLowerCase()}`);

function normalise(node: MarkupNode): MarkupNode {
  return {
    name: kebab(node.name),
    attributes: Object.fromEntries(Object.entries(node.attributes).map(([key, value]) => [kebab(key), value])),
    children: node.children.map((child) => (typeof child === 'string' ? child : normalise(child))),
    line: node.line,
  };
}

export function isQtiItem({ name }: MarkupNode): boolean {
  return kebab(name) === 'assessment-item';
}

/** Reads an item of QTI 2.1, 2.2 or 3.0. `tags` come from the manifest of its package. */
export function readQtiItem(file: string, root: MarkupNode, tags: string[] = [], deadline?: number): QuestionsRead {
  const collector = new QuestionCollector(file, deadline);
  const node = normalise(root);
  const name = (node.attributes['title'] ?? '').replace(/\s+/g, ' ').trim();
  const size = sizeOf(node);
  collector.take({ line: node.line, name: name || (node.attributes['identifier'] ?? ''), size }, (note) =>
    readOne(node, { name, tags }, note),
  );
  return { questions: collector.questions, problems: collector.problems };
}

function readOne(
  node: MarkupNode,
  { name, tags }: { name: string; tags: string[] },
  note: Note,
): PortableQuestion | undefined {
  const body = element(node, 'item-body');
  const interactions = body ? interactionsIn(body) : [];
  const [interaction, ...others] = interactions;
  if (!body || !interaction) return void note('type', 'no interaction');
  if (element(node, 'template-declaration')) return void note('type', 'template');
  const points = pointsIn(maximumOf(node), note);
  const hint = (body.attributes['data-hint'] ?? '').replace(/\s+/g, ' ').trim();
  const joined = (parts: string[]) => parts.filter((part) => part !== '').join('\n\n');
  const feedback = joined(elements(node, 'modal-feedback').map((each) => markdownOf(each, note)));
  const isEntry = interactions.every((each) => each.name === 'text-entry-interaction');
  if (isEntry && (others.length > 0 || /^GAP_\d+$/.test(interaction.attributes['response-identifier'] ?? ''))) {
    const gaps = gapsKey({ node, body, interactions }, note);
    return gaps && { name, tags, points, hint, feedback, ...gaps };
  }
  if (others.length > 0) return void note('type', interactions.map((each) => each.name).join(', '));
  const declaration = elements(node, 'response-declaration').find(
    ({ attributes }) => attributes['identifier'] === interaction.attributes['response-identifier'],
  );
  const text = [nodeToMarkdown(withoutInteraction(body), note), promptOf(interaction, note)];
  const common = { name, tags, points, hint, text: joined(text), feedback };
  if (interaction.name === 'extended-text-interaction')
    return openQuestion(common, { interaction, declaration, node }, note);
  const key = keyOf({ interaction, declaration, node }, note);
  return key && { ...common, ...key };
}

/** Rubrics for scorers become criteria; a correct response is the model answer if there is no feedback. */
function openQuestion(common: Common, { interaction, declaration, node }: Item, note: Note): PortableQuestion {
  for (const name of ['min-strings', 'pattern-mask'])
    if (!/^0?$/.test(interaction.attributes[name] ?? ''))
      note('requirement', `${name} ${interaction.attributes[name]}`);
  const rubrics = descendants(node, 'rubric-block').filter(({ attributes }) =>
    (attributes['view'] ?? '').split(/\s+/).some((view) => view === 'scorer' || view === 'tutor'),
  );
  const criteria = rubrics.flatMap((rubric) => descendants(rubric, 'li')).map((item) => criterionOf(item, note));
  const isListed = criteria.length > 0 && criteria.every(({ points }) => points > 0);
  const notes = isListed ? criteria : rubrics.map((rubric) => markdownOf(rubric, note)).join('\n\n');
  const model = common.feedback || plainToMarkdown(correctOf(declaration).join('\n\n'));
  const words = interaction.attributes['data-words'] ?? '';
  return { ...common, feedback: model, ...openKey({ notes, words, points: common.points }, note) };
}

/** A criterion begins with its points in brackets. */
function criterionOf(item: MarkupNode, note: Note): PortableCriterion {
  const [first, ...others] = item.children;
  const [mark = '', points = '0'] = (typeof first === 'string' && /^\s*\[(\d{1,3})\]\s*/.exec(first)) || [];
  const children = typeof first === 'string' ? [first.slice(mark.length), ...others] : item.children;
  return { text: nodeToLine({ ...item, children }, note), points: Number(points) };
}

function maximumOf(node: MarkupNode): string {
  const score = elements(node, 'outcome-declaration').find(({ attributes }) => attributes['identifier'] === 'SCORE');
  return score?.attributes['normal-maximum'] ?? '';
}

type Gaps = Extract<PortableQuestion, { type: 'gaps' }>;

/** Reads several answers to type within one text. */
function gapsKey(
  { node, body, interactions }: { node: MarkupNode; body: MarkupNode; interactions: MarkupNode[] },
  note: Note,
): Pick<Gaps, 'type' | 'text' | 'gaps' | 'isCaseSensitive' | 'isAccentSensitive'> | undefined {
  const declarations = new Map(
    elements(node, 'response-declaration')
      .toReversed() // the first of a name counts
      .map((declaration) => [declaration.attributes['identifier'], declaration]),
  );
  const keys = interactions.map((interaction) => {
    const declaration = declarations.get(interaction.attributes['response-identifier']);
    return entryKey({ interaction, declaration, node }, note);
  });
  const known = keys.flatMap((key) => (key?.type === 'text' ? [key] : []));
  const [first] = known;
  if (!first || known.length < keys.length) return void note('no-right-answer');
  if (known.some((key) => key.isCaseSensitive !== first.isCaseSensitive)) return void note('inexpressible', 'capitals');
  const text = nodeToMarkdown(withGaps(body, { count: 0 }), note).replace(/\uE000(\d+)\uE001/g, '[$1]');
  const { isCaseSensitive, isAccentSensitive } = first;
  const gaps = known.map(({ answers }) => ({ answers, feedback: '' }));
  return { type: 'gaps', text, gaps, isCaseSensitive, isAccentSensitive };
}

/** Puts the number of each gap into the text, between characters that no text needs. */
function withGaps(node: MarkupNode, counted: { count: number }): MarkupNode {
  const children = node.children.flatMap((child): MarkupNode['children'] => {
    if (typeof child === 'string') return [child.replace(/[\uE000\uE001]/g, '')];
    if (isInteraction(child)) return [`\uE000${++counted.count}\uE001`];
    return APART.has(child.name) ? [] : [withGaps(child, counted)];
  });
  return { ...node, children };
}

function interactionsIn(node: MarkupNode): MarkupNode[] {
  return elements(node).flatMap((child) => (INTERACTION.test(child.name) ? [child] : interactionsIn(child)));
}

/** The text around an interaction. A gap within a sentence leaves a line to fill. */
function withoutInteraction(node: MarkupNode): MarkupNode {
  const isAlone = node.children.every((child) =>
    typeof child === 'string' ? child.trim() === '' : isInteraction(child),
  );
  const gap = node.name === 'item-body' || isAlone ? [] : [' _____ '];
  const children = node.children.flatMap((child): MarkupNode['children'] => {
    if (typeof child === 'string') return [child];
    if (isInteraction(child)) return child.name === 'text-entry-interaction' ? gap : [];
    return APART.has(child.name) ? [] : [withoutInteraction(child)];
  });
  return { ...node, name: node.name === 'prompt' ? 'p' : node.name, children };
}

const isInteraction = (child: MarkupNode | string) => typeof child !== 'string' && INTERACTION.test(child.name);

function promptOf(interaction: MarkupNode, note: Note): string {
  const prompt = element(interaction, 'prompt');
  return prompt ? markdownOf(prompt, note) : '';
}

function markdownOf(node: MarkupNode, note: Note): string {
  return nodeToMarkdown({ ...node, name: 'div' }, note);
}

function keyOf(item: Item, note: Note): Key<PortableQuestion> | undefined {
  const { interaction } = item;
  if (interaction.name === 'choice-interaction') return choiceKey(item, note);
  if (interaction.name === 'match-interaction') return pairsKey(item, note);
  if (interaction.name === 'order-interaction') return orderKey(item, note);
  if (interaction.name !== 'text-entry-interaction') return void note('type', interaction.name);
  return /^(?:float|integer)$/.test(item.declaration?.attributes['base-type'] ?? '')
    ? floatKey(item, note)
    : entryKey(item, note);
}

function correctOf(declaration: MarkupNode | undefined): string[] {
  const correct = element(declaration, 'correct-response');
  return correct ? elements(correct, 'value').map((value) => textIn(value).trim()) : [];
}

function mappedOf(declaration: MarkupNode | undefined): { key: string; value: number; isCaseSensitive: boolean }[] {
  const mapping = element(declaration, 'mapping');
  return (mapping ? elements(mapping, 'map-entry') : []).map(({ attributes }) => ({
    key: attributes['map-key'] ?? '',
    value: Number(attributes['mapped-value'] ?? '0'),
    isCaseSensitive: attributes['case-sensitive'] === 'true',
  }));
}

function choiceKey({ interaction, declaration }: Item, note: Note): Key<PortableQuestion> | undefined {
  const choices = elements(interaction, 'simple-choice');
  const mapped = mappedOf(declaration);
  const correct = correctOf(declaration);
  const right = new Set(correct.length > 0 ? correct : mapped.filter(({ value }) => value > 0).map(({ key }) => key));
  if (mapped.some(({ key, value }) => value > 0 && !right.has(key))) note('partial-credit');
  const identifiers = choices.map(({ attributes }) => attributes['identifier'] ?? '');
  const isTruth = identifiers.length === 2 && identifiers.every((each) => /^(?:true|false)$/i.test(each));
  if (isTruth && right.size === 1 && choices.every((choice) => !element(choice, 'feedback-inline')))
    return { type: 'true-false', answer: /^true$/i.test([...right].join('')) };
  const options = choices.map((choice) => {
    return { ...itemOf(choice, note), isRight: right.has(choice.attributes['identifier'] ?? '') };
  });
  return { type: 'choice', options };
}

/** The text of a choice, and the feedback inside it. */
function itemOf(choice: MarkupNode, note: Note): PortableItem {
  const own = choice.children.filter((child) => typeof child === 'string' || !APART.has(child.name));
  const feedback = elements(choice, 'feedback-inline').map((each) => markdownOf(each, note));
  return {
    text: nodeToLine({ ...choice, children: own }, note),
    feedback: feedback.filter((each) => each !== '').join('\n\n'),
  };
}

/** Each choice of the first set must match exactly one of the second. */
function pairsKey({ interaction, declaration }: Item, note: Note): Key<PortableQuestion> | undefined {
  const [prompts = [], answers = []] = elements(interaction, 'simple-match-set').map((set) =>
    elements(set, 'simple-associable-choice').map((choice) => ({
      identifier: choice.attributes['identifier'] ?? '',
      ...itemOf(choice, note),
    })),
  );
  const right = correctOf(declaration).map((pair) => pair.split(/\s+/));
  const pairs = prompts.map(({ identifier, text, feedback }) => {
    const own = right.filter(([from]) => from === identifier);
    const answer = answers.find((each) => each.identifier === own[0]?.[1]);
    return own.length === 1 && answer ? { prompt: text, answer: answer.text, feedback } : undefined;
  });
  const clear = pairs.filter((pair) => pair !== undefined);
  if (clear.length === 0) return void note('no-right-answer');
  if (clear.length < pairs.length) return void note('inexpressible', 'several or no matches');
  const others = answers.map(({ text }) => ({ prompt: '', answer: text, feedback: '' }));
  const { feedback: _none, ...key } = matchingKey([...clear, ...others], '');
  return key as Key<PortableQuestion>; // of this type
}

function orderKey({ interaction, declaration }: Item, note: Note): Key<PortableQuestion> | undefined {
  const choices = new Map(
    elements(interaction, 'simple-choice').map((choice) => [choice.attributes['identifier'] ?? '', choice]),
  );
  const order = correctOf(declaration).flatMap((identifier) => choices.get(identifier) ?? []);
  if (order.length === 0) return void note('no-right-answer');
  if (order.length !== choices.size) return void note('inexpressible', 'not all items have a place');
  return { type: 'ordering', items: order.map((choice) => itemOf(choice, note)) };
}

function entryKey({ declaration }: Item, note: Note): Key<PortableQuestion> | undefined {
  const mapped = mappedOf(declaration);
  const best = Math.max(0, ...mapped.map(({ value }) => value));
  if (mapped.some(({ value }) => value > 0 && value < best)) note('partial-credit');
  const accepted = mapped.filter(({ value }) => value > 0 && value === best);
  const texts = [...correctOf(declaration), ...accepted.map(({ key }) => key)].map((text) =>
    text.replaceAll('*', '\\*'),
  );
  // QTI compares the text exactly unless there is a mapping.
  const isCaseSensitive = accepted.every((entry) => entry.isCaseSensitive);
  const key = textKey(texts, { feedback: '', isCaseSensitive }, note);
  if (key?.type !== 'text') return undefined;
  const { feedback: _none, ...own } = key;
  return { ...own, isAccentSensitive: declaration?.attributes['data-accents'] === 'true' };
}

function floatKey({ declaration, interaction, node }: Item, note: Note): Key<PortableQuestion> | undefined {
  const correct = correctOf(declaration);
  if (correct.length === 0) return void note('no-right-answer');
  if (correct.length > 1) return void note('several-answers');
  const identifier = interaction.attributes['response-identifier'];
  const equal = descendants(node, 'equal').find((each) =>
    descendants(each, 'variable').some(({ attributes }) => attributes['identifier'] === identifier),
  );
  const { 'tolerance-mode': mode = 'exact', tolerance = '0' } = equal?.attributes ?? {};
  const [around = '0', above = around] = tolerance.trim().split(/\s+/);
  if (mode !== 'exact' && around !== above) return void note('inexpressible', `tolerance ${tolerance}`);
  const share = Math.abs(Number(correct[0])) * Number(around);
  const absolute = mode === 'relative' ? String(Number((share / 100).toPrecision(12))) : around;
  const key = numberKey({ number: correct[0] ?? '', tolerance: mode === 'exact' ? '0' : absolute }, '', note);
  if (key?.type !== 'number') return undefined;
  const { feedback: _none, ...own } = key;
  return own;
}
