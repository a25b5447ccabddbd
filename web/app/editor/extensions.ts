import { Extension, Node, type Extensions } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { PICTURE_PATH } from './picture-path.ts';

/** A mentioned user; `{{<id>}}` in Markdown. */
export const Mention = Node.create({
  name: 'mention',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({
    id: { default: '', parseHTML: (element) => element.getAttribute('data-mention') },
    name: { default: '', parseHTML: (element) => element.textContent.replace(/^@/, '') },
  }),
  parseHTML: () => [{ tag: 'span[data-mention]' }],
  renderHTML: ({ node }) => ['span', { 'data-mention': node.attrs['id'] }, ['bdi', {}, `@${node.attrs['name']}`]],
  renderText: ({ node }) => `@${node.attrs['name']}`,
});

/** A picture that was uploaded for a text; others stay Markdown. */
export const Picture = Node.create({
  name: 'picture',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' } }),
  parseHTML: () => [{ tag: `img[src^="${PICTURE_PATH}"]` }],
  renderHTML: ({ node }) => ['img', { src: node.attrs['src'], alt: node.attrs['alt'] }],
  renderText: ({ node }) => String(node.attrs['alt']),
});

/** Whether the list has no blank lines between items. */
const Tight = Extension.create({
  name: 'tight',
  addGlobalAttributes: () => [
    { types: ['bulletList', 'orderedList'], attributes: { tight: { default: true, rendered: false } } },
  ],
});

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;

/** Everything the editor can represent: the server's Markdown without outside pictures, tables and raw HTML. */
export const extensions: Extensions = [
  StarterKit.configure({
    underline: false,
    trailingNode: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      protocols: ['http', 'https', 'mailto'],
      isAllowedUri: (url, { defaultValidate }) => defaultValidate(url) && (SAFE_LINK.test(url) || !url.includes(':')),
      // As on the server, `main.rs` is a file name, not an address.
      shouldAutoLink: (url) => SAFE_LINK.test(url) || url.startsWith('www.'),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  Mention,
  Picture,
  Tight,
];
