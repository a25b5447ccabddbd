import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { messagesPlugin } from './messages-plugin.ts';

const noParser = fileURLToPath(import.meta.resolve('@formatjs/icu-messageformat-parser/no-parser.js'));

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), messagesPlugin(), reactRouter()],
  resolve: {
    // Messages are parsed when they are bundled, so no bundle needs the ICU parser.
    alias: [{ find: /^@formatjs\/icu-messageformat-parser$/, replacement: noParser }],
  },
  // lucide's entry loads some 1700 icons; bundling keeps those in use.
  ssr: { noExternal: ['lucide-react'] },
  build: { target: 'es2022', assetsInlineLimit: 0, cssMinify: 'lightningcss' },
  logLevel: command === 'build' ? 'warn' : 'info',
}));
