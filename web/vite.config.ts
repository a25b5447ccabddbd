import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { assetLicencesPlugin, LICENCES_FILE } from './asset-licences-plugin.ts';
import { lightScriptPlugin } from './light-script-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';
import { serviceWorkerPlugin } from './service-worker-plugin.ts';

const noParser = fileURLToPath(import.meta.resolve('@formatjs/icu-messageformat-parser/no-parser.js'));

// What most pages need comes in two files: some forty small ones would compress worse, by 8 kB on the larger pages, and
// each would be a request. Whatever fewer pages use, or load later, stays apart.
const CHUNKS = [
  {
    name: 'engine',
    test: /node_modules[\\/](?:react|react-dom|scheduler|react-router|intl-messageformat|@formatjs)[\\/]/,
  },
  // Lists of the contract that pages of the administration show; the schemas come with them, for nobody else.
  { name: 'contract', test: /node_modules[\\/]zod[\\/]|[\\/]contract[\\/][\w-]+\.ts$/ },
  {
    name: 'parts',
    minShareCount: 6,
    test: /^(?!.*[\\/](?:areas[\\/](?:admin|authoring)|app[\\/]admin|ui[\\/]data-table))/,
  },
];

/** zod tries whether it may make functions of text. The policy of pages refuses that, and browsers would report each try. */
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

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    messagesPlugin(),
    serviceWorkerPlugin(),
    lightScriptPlugin(),
    zodWithoutEval(),
    reactRouter(),
    assetLicencesPlugin(),
  ],
  resolve: {
    // Messages are parsed when they are bundled, so no bundle needs the ICU parser.
    alias: [{ find: /^@formatjs\/icu-messageformat-parser$/, replacement: noParser }],
  },
  // lucide's entry loads some 1700 icons; bundling keeps those in use.
  ssr: { noExternal: ['lucide-react'] },
  // All libraries are found at the start; one found later would load the page again under the developer's hands.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}', '!app/**/*.test.{ts,tsx}'] },
  build: { target: 'es2022', assetsInlineLimit: 0, cssMinify: 'lightningcss' },
  environments: {
    client: {
      build: {
        license: { fileName: LICENCES_FILE },
        rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
      },
    },
  },
  logLevel: command === 'build' ? 'warn' : 'info',
}));
