// What pages write as HTML, or run as a worker, has passed here: the policy of pages (`require-trusted-types-for`) has
// browsers report all else, whichever part of the application or of a library does it.

type Policy = { createHTML: (html: string) => string; createScriptURL: (address: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

const rules: Policy = { createHTML: (html) => html, createScriptURL: () => '/sw.js' };

const policy = (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy('officium', rules) ?? rules; // not in every browser

/** HTML that the server has made and cleaned. */
export const trustedHtml = (html: string): string => policy.createHTML(html);

/** The script of the service worker. */
export const trustedWorker = (): string => policy.createScriptURL(''); // whatever is asked for, it is this one
