import type { Token } from 'markdown-it';
import { readSettings } from '../../editor/document/directive.ts';
import { tokenizer, type Around, type FoundBlock } from '../../editor/document/tokenizer.ts';

export const QUESTION_TYPES = [
  ...(['choice', 'true-false', 'number', 'text', 'matching', 'ordering', 'gaps', 'open'] as const),
] as const;
export type ListedQuestion = {
  /** Its first line, without markup. */
  text: string;
  /** Undefined for a type that does not exist, which publication names. */
  type: (typeof QUESTION_TYPES)[number] | undefined;
  tags: string[];
  points: number;
};

/** The questions of a text, in their order, as a list of them shows them. */
export function questionsIn(source: string, around: Around = { open: [] }): ListedQuestion[] {
  const env: Around = { ...around };
  const lines = source.split('\n');
  return tokenizer.parse(source, env).flatMap((token) => {
    if (token.type !== 'directive') return [];
    const { opening, name, first, end } = token.meta as FoundBlock; // tokenizer.ts
    const content = lines.slice(first, end).join('\n');
    const inner = { ...env, open: [...env.open, name] };
    return name === 'quiz' ? [toListed(content, opening, inner)] : questionsIn(content, inner);
  });
}

function toListed(content: string, { label, settings }: FoundBlock['opening'], around: Around): ListedQuestion {
  const tokens = tokenizer.parse(content, { ...around });
  const found = new Map(readSettings(settings ?? '')?.map(({ key, value }) => [key, value]));
  const type = found.get('type') ?? 'choice';
  const own = tokens.find((token) => token.type === 'inline' && token.level === 1);
  const points = type === 'open' ? criteriaPoints(tokens) : 0;
  return {
    text: plainOf(own?.children ?? []) || (label ?? ''),
    type: QUESTION_TYPES.find((each) => each === type),
    tags: [...new Set((found.get('tags') ?? '').split(',').map((tag) => tag.replace(/\s+/g, ' ').trim()))].filter(
      Boolean,
    ),
    points: points || Number(found.get('points') ?? '1') || 1,
  };
}

/** The criteria of an open question together are its points. */
function criteriaPoints(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { type, content }) => {
    const [, points] = (type === 'inline' && /^\[(\d{1,3})\](?:\s|$)/.exec(content)) || [];
    return sum + Number(points ?? '0');
  }, 0);
}

function plainOf(tokens: readonly Token[]): string {
  const written = tokens.map(({ type, content, children }) => {
    if (children && type !== 'image') return plainOf(children);
    return type === 'softbreak' || type === 'hardbreak' ? ' ' : content;
  });
  return written.join('').replace(/\s+/g, ' ').trim();
}
