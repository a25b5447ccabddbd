import { readEmbed } from '../embeds.ts';
import { escapeHtml } from '../html.ts';
import type { BlockType } from './block.ts';

/**
 * `::embed[Title]{src=https://www.youtube.com/watch?v=…}`: a box with a link to a video elsewhere. A page with script
 * plays it in the box after a click.
 */
export const embed: BlockType = {
  kind: 'leaf',
  attributes: { src: (value) => readEmbed(value) !== undefined },
  render({ attributes, label, options }) {
    const { src = '' } = attributes;
    const found = readEmbed(src);
    if (!found) return label === '' ? '' : `<p>${escapeHtml(label)}</p>`;
    const note = options.mediaLabels?.outside?.(found.site);
    const caption = note === undefined ? '' : `<figcaption>${escapeHtml(note)}</figcaption>\n`;
    const title = escapeHtml(label || found.site);
    return `<figure class="embed">\n<p><a class="embed-link" href="${escapeHtml(src)}">${title}</a></p>\n${caption}</figure>`;
  },
};
