// All injected HTML and the service worker's address pass through this Trusted Types policy. With
// `require-trusted-types-for`, browsers refuse every other write, in our code or a library's.

type Policy = { createHTML: (html: string) => string; createScriptURL: (address: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

const rules: Policy = { createHTML: (html) => html, createScriptURL: () => '/sw.js' };

const policy = (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy('officium', rules) ?? rules; // not supported everywhere

/** HTML generated and sanitised by the server. */
export const trustedHtml = (html: string): string => policy.createHTML(html);

/** Parses foreign HTML into a document that runs no scripts and loads nothing. */
export const parseInert = (html: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(html), 'text/html');

/** The script of the service worker. */
export const trustedWorker = (): string => policy.createScriptURL(''); // ignores its argument
