import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { assetLicencesPlugin, LICENCES_FILE } from './asset-licences-plugin.ts';
import { helpPlugin } from './help-plugin.ts';
import { lightScriptPlugin } from './light-script-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';
import { serviceWorkerPlugin } from './service-worker-plugin.ts';

const ownIcon = fileURLToPath(import.meta.resolve('./app/ui/lucide-icon.ts'));
const noParser = fileURLToPath(import.meta.resolve('@formatjs/icu-messageformat-parser/no-parser.js'));

// Two shared chunks for what most pages need: some forty small ones would compress worse, by 8 kB on larger pages, and
// cost a request each. Everything rarer or loaded later stays separate.
const CHUNKS = [
  {
    name: 'engine',
    test: /node_modules[\\/](?:react|react-dom|scheduler|react-router|intl-messageformat|@formatjs)[\\/]/,
  },
  // Contract lists used by administration pages; their schemas come along, but only there.
  { name: 'contract', test: /node_modules[\\/]zod[\\/]|[\\/]contract[\\/][\w-]+\.ts$/ },
  {
    name: 'parts',
    minShareCount: 4,
    test: /^(?!.*[\\/](?:areas[\\/](?:admin|authoring|events|learning|settings)|app[\\/](?:admin|factors|topics|country-names|editor[\\/](?:markdown-|template-words|blocks-help|guarded-draft|leave-guard))|icons[\\/](?:arrow-(?:down|up)|cable|circle-question-mark|text-cursor-input|chevrons-up-down|cloud-off|download|key-round|footprints|heading-2|italic|letter-b|lightbulb|link-2|list|quote)|areas[\\/](?:articles|community[\\/](?:join|removal-call))|ui[\\/](?:auto-refresh|price|scroll-to-current|card|confirm-action|data-table|dialog|duration|error-summary|narrow|pagination|part\.|progress|reason-fields|share-picture|validity)))/,
  },
];

// Every page loads the list of all scripts; hashes of seven characters, 42 bits, instead of eight save some of it.
const SCRIPT_NAME = 'assets/[name]-[hash:7].js';

/** Turns off zod's JIT: it probes for eval, which the policy of pages refuses, and browsers would report each probe. */
function zodWithoutEval(): Plugin {
  return {
    name: 'zod-without-eval',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/ },
      handler: (code) => `${code}\nglobalConfig.jitless = true;\n`,
    },
  };
}

/** Leaves out of icons what app/ui/lucide-icon.ts does not use. The random keys of shapes hardly compress. */
function leanIcons(): Plugin {
  return {
    name: 'lean-icons',
    transform: {
      filter: { id: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/][\w-]+\.mjs$/ },
      handler: (code) => code.replaceAll(/,\s*key: "\w+"|^ {2}(?:name|size): [^\n]+,$|^__iconData\.node;$/gm, ''),
    },
  };
}

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    messagesPlugin(),
    helpPlugin(),
    serviceWorkerPlugin(),
    lightScriptPlugin(),
    zodWithoutEval(),
    leanIcons(),
    reactRouter(),
    assetLicencesPlugin(),
  ],
  resolve: {
    alias: [
      // Messages are parsed at build time, so no bundle needs the ICU parser.
      { find: /^@formatjs\/icu-messageformat-parser$/, replacement: noParser },
      // Imported by every icon of lucide-react.
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: ownIcon },
    ],
  },
  // lucide's entry point loads some 1700 icons; bundling keeps only those in use.
  ssr: { noExternal: ['lucide-react'] },
  // Finds all dependencies at startup; a late discovery would reload the page while developing.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}', '!app/**/*.test.{ts,tsx}'] },
  build: { target: 'es2022', assetsInlineLimit: 0, cssMinify: 'lightningcss' },
  environments: {
    client: {
      build: {
        license: { fileName: LICENCES_FILE },
        rolldownOptions: {
          output: { codeSplitting: { groups: CHUNKS }, entryFileNames: SCRIPT_NAME, chunkFileNames: SCRIPT_NAME },
        },
      },
    },
  },
  logLevel: command === 'build' ? 'warn' : 'info',
}));
