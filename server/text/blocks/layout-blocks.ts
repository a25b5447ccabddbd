import { escapeHtml } from '../html.ts';
import type { BlockType } from './block.ts';

const KINDS = ['note', 'tip', 'warning', 'example'] as const;
type Kind = (typeof KINDS)[number];
const isKind = (value: string): value is Kind => KINDS.some((kind) => kind === value);

/** `:::callout[Title]{kind=tip}`. Its kind is named in words, because colour alone carries no meaning. */
export const callout: BlockType = {
  kind: 'container',
  attributes: { kind: isKind },
  render({ label, attributes, html, options }) {
    const written = attributes['kind'] ?? '';
    const kind = isKind(written) ? written : 'note';
    const title = [options.blockLabels?.[kind], label].filter(Boolean).join(': ');
    const head = title === '' ? '' : `<div class="callout-title">${escapeHtml(title)}</div>\n`;
    return `<div class="callout callout-${kind}" role="note">\n${head}${html()}</div>`;
  },
};

/** `:::reflect` around a question to think about. */
export const reflect: BlockType = {
  kind: 'container',
  attributes: {},
  render({ label, html, options }) {
    const title = label || options.blockLabels?.reflect;
    const head = title ? `<div class="reflect-title">${escapeHtml(title)}</div>\n` : '';
    return `<div class="reflect" role="note">\n${head}${html()}</div>`;
  },
};

/** `:::accordion[Title]`: content that readers unfold. */
export const accordion: BlockType = {
  kind: 'container',
  attributes: { open: (value) => value === '' },
  render({ label, attributes, html }) {
    const open = attributes['open'] === undefined ? '' : ' open';
    return `<details class="accordion"${open}>\n<summary>${escapeHtml(label || '…')}</summary>\n${html()}</details>`;
  },
};

/** `:::steps` around a numbered list. */
export const steps: BlockType = {
  kind: 'container',
  attributes: {},
  render: ({ html }) => `<div class="steps">\n${html()}</div>`,
};

/** `::::columns` around `:::column` blocks, which stand below each other on narrow screens. */
export const columns: BlockType = {
  kind: 'container',
  attributes: {},
  render: ({ html }) => `<div class="columns">\n${html()}</div>`,
};

export const column: BlockType = {
  kind: 'container',
  parent: 'columns',
  attributes: {},
  render: ({ html }) => `<div class="column">\n${html()}</div>`,
};

/** `::::tabs` around `:::tab[Title]` blocks: sections with headings. */
export const tabs: BlockType = {
  kind: 'container',
  attributes: {},
  render: ({ html }) => `<div class="tabs">\n${html()}</div>`,
};

export const tab: BlockType = {
  kind: 'container',
  parent: 'tabs',
  attributes: {},
  render({ label, html, headingLevel }) {
    const heading = label === '' ? '' : `<h${headingLevel}>${escapeHtml(label)}</h${headingLevel}>\n`;
    return `<div class="tab">\n${heading}${html()}</div>`;
  },
};
