import { type RenderedMarkdown, type RenderOptions, renderMarkdown } from './markdown.ts';

/** Renders a text below a separate page title: if it has level-1 headings, all headings move down one level. */
export function renderPage(source: string, options: RenderOptions): RenderedMarkdown {
  const rendered = renderMarkdown(source, { ...options, headingAnchors: true });
  return rendered.headings.some(({ level }) => level === 1)
    ? renderMarkdown(source, { ...options, headingAnchors: true, headingShift: 1 })
    : rendered;
}
