import { type RenderedMarkdown, type RenderOptions, renderMarkdown } from './markdown.ts';

/** Renders a text that stands below a title of its own: one with level-1 headings moves down a level as a whole. */
export function renderPage(source: string, options: RenderOptions): RenderedMarkdown {
  const rendered = renderMarkdown(source, { ...options, headingAnchors: true });
  return rendered.headings.some(({ level }) => level === 1)
    ? renderMarkdown(source, { ...options, headingAnchors: true, headingShift: 1 })
    : rendered;
}
