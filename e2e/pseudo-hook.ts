import { registerHooks } from 'node:module';

/**
 * Loaded with `node --import` for one test: replaces the English messages of the built server with the pseudo locale.
 * The product does not know this file.
 */
const ENGLISH = /\/web\/build\/server\/assets\/en-[\w-]+\.js$/;
const DISGUISE = new URL('./pseudo.ts', import.meta.url).href;

registerHooks({
  load(url, context, next) {
    if (!ENGLISH.test(url)) return next(url, context);
    const source = `
      import texts from ${JSON.stringify(`${url}?plain`)};
      import { disguise } from ${JSON.stringify(DISGUISE)};
      export default disguise(texts);
    `;
    return { format: 'module', shortCircuit: true, source };
  },
});
