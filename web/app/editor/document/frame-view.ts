import type { Node } from '@tiptap/pm/model';
import type { EditorView, NodeView, NodeViewConstructor } from '@tiptap/pm/view';
import type { MessageKey } from '../../message-keys.ts';
import { announce } from '../../ui/announce.ts';
import { BLOCK_TYPES, isBlockName } from './block-types.ts';
import { deleteBlock, moveBlock, placeOf } from './blocks.ts';
import { readSettings, withSetting, writeLabel } from './directive.ts';
import { tokenizer } from './tokenizer.ts';

export type Words = (key: MessageKey) => string;
type GetPos = () => number | undefined;
type Control = { element: HTMLElement; show: (node: Node) => void };

/** Shows a block as a labelled frame with its title, its settings and buttons that move and delete it. */
export function frameView(words: Words): NodeViewConstructor {
  return (node, view, getPos) => new FrameView(node, view, getPos, words);
}

class FrameView implements NodeView {
  readonly dom = document.createElement('div');
  readonly contentDOM: HTMLElement | null;
  readonly #head = document.createElement('div');
  readonly #controls: Control[];
  readonly #type: Node['type'];
  readonly #name: unknown;

  constructor(node: Node, view: EditorView, getPos: GetPos, words: Words) {
    const { name } = node.attrs;
    this.#type = node.type;
    this.#name = name;
    const label = words(isBlockName(String(name)) ? (`editor.block_${name}` as MessageKey) : 'editor.block_raw');
    this.dom.className = `doc-frame is-${name ?? 'raw'}`;
    this.dom.setAttribute('role', 'group');
    this.dom.setAttribute('aria-label', label);
    this.#head.className = 'doc-frame-head';
    this.#head.contentEditable = 'false';
    const title = document.createElement('span');
    title.className = 'doc-frame-name';
    title.textContent = label;
    this.#controls = controlsOf(node, { view, getPos, words });
    this.#head.append(title, ...this.#controls.map(({ element }) => element), buttonsOf({ view, getPos, words }));
    this.dom.append(this.#head);
    this.contentDOM = node.isLeaf ? null : document.createElement(node.type.name === 'raw' ? 'pre' : 'div');
    if (this.contentDOM) this.dom.append(this.contentDOM);
    this.#show(node);
  }

  update(node: Node): boolean {
    if (node.type !== this.#type || node.attrs['name'] !== this.#name) return false;
    this.#show(node);
    return true;
  }

  stopEvent({ target }: Event): boolean {
    return this.#head.contains(target as HTMLElement) && target !== this.#head;
  }

  ignoreMutation(mutation: { target: globalThis.Node }): boolean {
    return !this.contentDOM?.contains(mutation.target);
  }

  #show(node: Node): void {
    for (const { show } of this.#controls) show(node);
  }
}

type Tools = { view: EditorView; getPos: GetPos; words: Words };

function controlsOf(node: Node, tools: Tools): Control[] {
  const { name, settings } = node.attrs;
  if (!isBlockName(String(name))) return [];
  const { hasTitle, setting, choices } = BLOCK_TYPES[name as keyof typeof BLOCK_TYPES]; // checked above
  const controls: Control[] = [];
  if (hasTitle) {
    const read = ({ attrs }: Node) => tokenizer.utils.unescapeAll(String(attrs['label'] ?? ''));
    controls.push(field(tools, 'editor.title', read, (value) => ({ label: value === '' ? null : writeLabel(value) })));
  }
  const read = ({ attrs }: Node) =>
    readSettings(String(attrs['settings'] ?? ''))?.find(({ key }) => key === setting)?.value ?? '';
  const write = (value: string, { attrs }: Node) => ({
    settings: withSetting(attrs['settings'] as string | null, setting ?? '', value),
  });
  if (setting && choices) controls.push(choice(tools, choices, read, write));
  else if (setting) controls.push(field(tools, 'editor.address', read, write));
  else if (settings !== null || name === 'quiz') {
    const readAll = ({ attrs }: Node) => String(attrs['settings'] ?? '');
    controls.push(
      field(tools, 'editor.settings', readAll, (value) =>
        readSettings(value) ? { settings: value.trim() || null } : undefined,
      ),
    );
  }
  return controls;
}

type Read = (node: Node) => string;
type Write = (value: string, node: Node) => Record<string, unknown> | undefined;

/** Changes attributes of the node that a control belongs to; `write` returns undefined for a wrong value. */
function change({ view, getPos }: Tools, value: string, write: Write): boolean {
  const at = getPos();
  const node = at === undefined ? null : view.state.doc.nodeAt(at);
  const attributes = node && write(value, node);
  if (at === undefined || !attributes) return false;
  const { tr } = view.state;
  for (const [name, next] of Object.entries(attributes)) tr.setNodeAttribute(at, name, next);
  view.dispatch(tr);
  return true;
}

function field(tools: Tools, label: MessageKey, read: Read, write: Write): Control {
  const input = document.createElement('input');
  input.type = 'text';
  input.dir = 'auto';
  input.placeholder = tools.words(label);
  input.setAttribute('aria-label', tools.words(label));
  input.className = 'input';
  input.addEventListener('input', () => {
    input.setAttribute('aria-invalid', String(!change(tools, input.value, write)));
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault(); // it would submit the form
    tools.view.focus();
  });
  const show = (node: Node) => {
    if (document.activeElement !== input) input.value = read(node);
  };
  return { element: input, show };
}

function choice(tools: Tools, choices: readonly string[], read: Read, write: Write): Control {
  const select = document.createElement('select');
  select.className = 'input';
  select.setAttribute('aria-label', tools.words('editor.kind'));
  for (const value of choices) select.add(new Option(tools.words(`editor.kind_${value}` as MessageKey), value));
  select.addEventListener('change', () => change(tools, select.value, write));
  return { element: select, show: (node) => (select.value = read(node) || (choices[0] ?? '')) };
}

/** Buttons that move and delete the block they belong to. */
export function buttonsOf({ view, getPos, words }: Tools): HTMLElement {
  const buttons = document.createElement('span');
  buttons.className = 'doc-frame-buttons';
  const add = (sign: string, label: MessageKey, press: () => MessageKey | undefined) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset['sign'] = sign; // shown by the style, because it is no part of the name
    button.title = words(label);
    button.setAttribute('aria-label', words(label));
    button.addEventListener('click', () => {
      const said = press();
      if (said) announce(words(said));
      view.focus();
    });
    buttons.append(button);
  };
  const place = () => {
    const at = getPos();
    return at === undefined ? undefined : placeOf(view.state.doc.resolve(at));
  };
  const move = (step: -1 | 1) => () => {
    const found = place();
    const isMoved = found !== undefined && moveBlock(view.state, found, step, view.dispatch);
    return isMoved ? (step === 1 ? 'editor.moved_down' : 'editor.moved_up') : undefined;
  };
  add('↑', 'editor.move_up', move(-1));
  add('↓', 'editor.move_down', move(1));
  add('✕', 'editor.remove', () => {
    const found = place();
    if (found) deleteBlock(view.state, found, view.dispatch);
    return 'editor.removed';
  });
  return buttons;
}
