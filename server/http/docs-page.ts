import { ERRORS } from '@officium/contract/errors';
import { escapeHtml } from '../mail/render.ts';

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
};
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters: {
    $ref?: string;
    name?: string;
    in?: string;
    required?: boolean;
    description?: string;
    schema?: unknown;
  }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown; example?: unknown }> }>;
};
export type Document = {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
};

const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f3b;--paper:#fbfaf7;--line:#dcd8cf;--accent:#0b6e6e}
@media (prefers-color-scheme:dark){:root{--ink:#e9e7e0;--paper:#14172b;--line:#3a3f5e;--accent:#5cc4c0}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:56rem;margin:0 auto;padding:2rem 1rem}h1,h2{font-family:Georgia,serif}
a{color:var(--accent)}a:focus-visible,summary:focus-visible,pre:focus-visible{outline:3px solid #ffc53d;outline-offset:2px}
details{border-top:1px solid var(--line);padding:.5rem 0}summary{cursor:pointer;padding:.5rem 0;overflow-wrap:anywhere}
code,pre{font:14px/1.5 ui-monospace,monospace}pre{overflow:auto;padding:1rem;border:1px solid var(--line);border-radius:8px}
.method{display:inline-block;min-width:4.5em;font-weight:700}.summary{display:block;opacity:.85}dt{font-weight:600}dd{margin:0 0 .5rem}`;

const json = (value: unknown, label: string) =>
  `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`;

const exampleOf = (example: unknown, label: string) => (example === undefined ? '' : json(example, label));

/** Renders the Markdown subset of descriptions: paragraphs, bold beginnings and code. */
const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${marked(paragraph)}</p>`)
    .join('');
const marked = (text: string) =>
  escapeHtml(text)
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

function renderOperation(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.filter((parameter) => parameter.name !== undefined);
  const replies = Object.entries(operation.responses)
    .map(
      ([status, response]) =>
        `<dt>${status}</dt><dd>${marked(response.description).replaceAll('\n\n', '<br>')}${
          Number(status) < 400
            ? Object.values(response.content ?? {})
                .map(
                  ({ schema, example }) =>
                    exampleOf(example, `Example of reply ${status} of ${operation.operationId}`) +
                    json(schema, `Reply ${status} of ${operation.operationId}`),
                )
                .join('')
            : ''
        }</dd>`,
    )
    .join('');
  return `<details id="${operation.operationId}"><summary><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code>
<span class="summary">${escapeHtml(operation.summary)}${operation.deprecated ? ' (deprecated)' : ''}</span></summary>
${operation.description ? paragraphs(operation.description) : ''}
${
  parameters.length
    ? `<h4>Parameters</h4><dl>${parameters
        .map(
          (parameter) =>
            `<dt><code>${escapeHtml(parameter.name ?? '')}</code> (${parameter.in}${parameter.required ? ', required' : ''})</dt><dd>${escapeHtml(parameter.description ?? '')} <code>${escapeHtml(JSON.stringify(parameter.schema))}</code></dd>`,
        )
        .join('')}</dl>`
    : ''
}
${Object.entries(operation.requestBody?.content ?? {})
  .map(
    ([type, { schema, example }]) =>
      `<h4>Body (${type})</h4>${exampleOf(example, `Example of the body of ${operation.operationId}`)}${json(schema, `Body of ${operation.operationId}`)}`,
  )
  .join('')}
<h4>Responses</h4><dl>${replies}</dl></details>`;
}

/** The OpenAPI document as one page that needs no script. */
export function docsPage(document: Document): string {
  const described = new Map(document.tags.map(({ name, description }) => [name, description]));
  const byTag = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? '';
      byTag.set(tag, [...(byTag.get(tag) ?? []), renderOperation(method, path, operation)]);
    }
  const errors = Object.entries(ERRORS)
    .map(([code, { status, message }]) => `<dt>${status} <code>${code}</code></dt><dd>${escapeHtml(message)}</dd>`)
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(document.info.title)} API</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/api/docs.css"></head><body><main>
<h1>${escapeHtml(document.info.title)} API ${escapeHtml(document.info.version)}</h1>${paragraphs(document.info.description)}
<p><a href="/api/openapi.json">OpenAPI 3.1 document</a></p>
<nav aria-label="Services"><ul>${[...byTag.keys()].map((tag) => `<li><a href="#${tag}">${tag}</a></li>`).join('')}<li><a href="#errors">Errors</a></li></ul></nav>
${[...byTag].map(([tag, operations]) => `<section aria-labelledby="${tag}"><h2 id="${tag}">${tag}</h2><p>${escapeHtml(described.get(tag) ?? '')}</p>${operations.join('')}</section>`).join('')}
<section aria-labelledby="errors"><h2 id="errors">Errors</h2><dl>${errors}</dl></section></main></body></html>`;
}

export const DOCS_STYLE = STYLE;
