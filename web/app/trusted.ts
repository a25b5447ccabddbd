// All HTML that pages inject, and the service worker's address, pass through this Trusted Types policy. Browsers refuse
// every other write, in our code or a library's (`require-trusted-types-for`).

type Policy = { createHTML: (html: string) => string; createScriptURL: (address: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

const rules: Policy = { createHTML: (html) => html, createScriptURL: () => '/sw.js' };

const policy = (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy('officium', rules) ?? rules; // not in every browser

/** HTML that the server has made and cleaned. */
export const trustedHtml = (html: string): string => policy.createHTML(html);

/** The script of the service worker. */
export const trustedWorker = (): string => policy.createScriptURL(''); // whatever is asked for, it is this one
