import type { LISTED_KINDS, PIECE_STATES, PieceKind, PieceDoc } from '@officium/contract/authoring';
import type { Tag } from '../../ui/tag.tsx';

// As the contract has them: its module carries zod, which has no place in the browser.
export const KINDS = [
  'academy',
  'course',
  'journey',
  'lesson',
  'microcourse',
  'community',
] as const satisfies readonly PieceKind[];
export const LISTED = [...KINDS, 'article'] as const satisfies typeof LISTED_KINDS;
export const STATES = ['draft', 'published', 'changed', 'withdrawn'] as const satisfies typeof PIECE_STATES;
/** What can be begun by itself; journeys and lessons begin inside what they belong to. */
export const OWN_KINDS = ['course', 'microcourse', 'community', 'academy'] as const;
export const MAX_SECTIONS = 8;

export type Kind = PieceKind;
export type State = (typeof STATES)[number];
export type Doc = PieceDoc;

export const isKind = (value: string | null | undefined): value is Kind => KINDS.some((kind) => kind === value);

export const LOOKS = {
  draft: 'plain',
  published: 'success',
  changed: 'accent',
  withdrawn: 'danger',
} as const satisfies Record<State, Parameters<typeof Tag>[0]['look']>;

/** The texts each kind has in every language: one line, several lines, or Markdown. */
export const TEXTS = {
  academy: { title: 'line', description: 'area' },
  course: { title: 'line', summary: 'area' },
  journey: { title: 'line', description: 'area' },
  lesson: { title: 'line', discussion: 'area', body: 'markdown' },
  microcourse: { title: 'line', summary: 'area', body: 'markdown' },
  community: { title: 'line', description: 'area' },
} as const satisfies Record<Kind, Partial<Record<TextName, 'line' | 'area' | 'markdown'>>>;
export type TextName = 'title' | 'summary' | 'description' | 'discussion' | 'body';

export const PRIVACIES = {
  journey: ['open-public', 'open-private', 'closed-public', 'closed-private', 'stripe-public', 'stripe-private'],
  community: ['open-visible', 'open-hidden', 'closed-visible', 'closed-hidden'],
} as const;

export const addressOf = (kind: string, key: string, rest = '') =>
  `/admin/content/${kind}/${encodeURIComponent(key)}${rest}`;
