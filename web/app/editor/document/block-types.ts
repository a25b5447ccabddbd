/** A block of lessons and articles, as server/text/blocks/registry.ts defines it. */
export type BlockType = {
  /** `leaf` is one line; `group` holds only its parts; `part` stands only in its group. */
  kind: 'leaf' | 'frame' | 'group' | 'part';
  parent?: BlockName;
  /** It has a title in square brackets. */
  hasTitle?: true;
  /** The setting that its frame shows as a choice or a field; other settings are shown as text. */
  choices?: readonly string[];
  setting?: string;
};

const TYPES = {
  callout: { kind: 'frame', hasTitle: true, setting: 'kind', choices: ['note', 'tip', 'warning', 'example'] },
  accordion: { kind: 'frame', hasTitle: true },
  steps: { kind: 'frame' },
  columns: { kind: 'group' },
  column: { kind: 'part', parent: 'columns' },
  tabs: { kind: 'group' },
  tab: { kind: 'part', parent: 'tabs', hasTitle: true },
  reflect: { kind: 'frame', hasTitle: true },
  quiz: { kind: 'frame', hasTitle: true },
  video: { kind: 'leaf', hasTitle: true },
  audio: { kind: 'leaf', hasTitle: true },
  file: { kind: 'leaf', hasTitle: true, setting: 'src' },
  embed: { kind: 'leaf', hasTitle: true, setting: 'src' },
} as const;

export type BlockName = keyof typeof TYPES;
export const BLOCK_NAMES = Object.keys(TYPES) as BlockName[]; // keys of that table
export const BLOCK_TYPES: Readonly<Record<BlockName, BlockType>> = TYPES;

export const isBlockName = (name: string): name is BlockName => Object.hasOwn(TYPES, name);

/** The node of the editor for a block. Questions hold no other blocks. */
export const nodeNameOf = (name: BlockName): string => (name === 'quiz' ? 'quiz' : BLOCK_TYPES[name].kind);
