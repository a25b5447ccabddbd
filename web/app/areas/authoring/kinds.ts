import type { ASSESSMENT_REVIEWS } from '@officium/contract/assessment';
import type { LISTED_KINDS, PIECE_STATES, PieceKind, PieceDoc } from '@officium/contract/authoring';
import type { EvaluationType } from '@officium/contract/evaluation';
import type { AccessScope } from '@officium/contract/product-access';
import type { Tag } from '../../ui/tag.tsx';

// Copied from the contract, whose module would bring zod into the browser.
export const KINDS = [
  'academy',
  'course',
  'journey',
  'lesson',
  'microcourse',
  'community',
  'question',
  'solution',
  'hub',
  'carousel',
  'picture',
  'event',
] as const satisfies readonly PieceKind[];
export const LISTED = [...KINDS, 'article'] as const satisfies typeof LISTED_KINDS;
export const STATES = ['draft', 'published', 'changed', 'withdrawn'] as const satisfies typeof PIECE_STATES;
/** Audiences, the largest first. */
export const SCOPES = ['public', 'authenticated', 'verified', 'private'] as const satisfies readonly AccessScope[];
/** Kinds that can be created on their own; journeys and lessons are created inside their parent. */
export const OWN_KINDS = [
  ...(['course', 'microcourse', 'community', 'academy'] as const),
  ...(['question', 'solution', 'hub', 'carousel', 'picture', 'event'] as const),
] as const;
/** Kinds that roles in an academy or a course are about. */
export const HELD_KINDS = ['academy', 'course', 'journey', 'lesson'] as const satisfies readonly PieceKind[];
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

/** The translated texts of each kind: one line, several lines, or Markdown. */
export const TEXTS = {
  academy: { title: 'line', description: 'area' },
  course: { title: 'line', summary: 'area', body: 'markdown' },
  journey: { title: 'line', description: 'area' },
  lesson: { title: 'line', discussion: 'area', body: 'markdown' },
  microcourse: { title: 'line', summary: 'area', body: 'markdown' },
  community: { title: 'line', description: 'area' },
  question: { title: 'line', answer: 'part' },
  solution: {
    title: 'line',
    summary: 'area',
    ...({ problem: 'part', tried: 'part', result: 'part', cost: 'part', transfer: 'part', evidence: 'part' } as const),
  },
  hub: { title: 'line', summary: 'area' },
  carousel: { title: 'line', summary: 'area' },
  picture: { title: 'line', summary: 'area' },
  event: { title: 'line', summary: 'area', about: 'part' },
} as const satisfies Record<Kind, Partial<Record<TextName, TextLook>>>;
/** One line, several lines, Markdown, or Markdown that is a part of a page. */
export type TextLook = 'line' | 'area' | 'markdown' | 'part';
export type TextName =
  | ('title' | 'summary' | 'description' | 'discussion' | 'body')
  | ('answer' | 'problem' | 'tried' | 'result' | 'cost' | 'transfer' | 'evidence' | 'about');

/** The levels of review after an attempt, the least first. */
export const REVIEWS = ['none', 'result', 'answers'] as const satisfies typeof ASSESSMENT_REVIEWS;

/** The types of questions of an evaluation, and how many it may have. */
export const EVALUATION_TYPES = ['scale', 'single', 'multiple', 'text'] as const satisfies readonly EvaluationType[];
export const MAX_EVALUATION = 12;

export const PRIVACIES = {
  journey: ['open-public', 'open-private', 'closed-public', 'closed-private', 'stripe-public', 'stripe-private'],
  community: ['open-visible', 'open-hidden', 'closed-visible', 'closed-hidden'],
} as const;

export const addressOf = (kind: string, key: string, rest = '') =>
  `/admin/content/${kind}/${encodeURIComponent(key)}${rest}`;
