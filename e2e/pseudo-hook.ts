import { registerHooks } from 'node:module';

/*
 * Loaded into a product by `node --import`, for one test: English texts leave its built server in disguise. Nothing of
 * the product knows of this file.
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
