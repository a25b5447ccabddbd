import { createHash } from 'node:crypto';
import { parse } from '@formatjs/icu-messageformat-parser';
import { mergeMessages, MESSAGES_DIR } from '@officium/i18n/catalogue';
import { isLocale, LOCALES, type Locale } from '@officium/i18n/locales';
import type { Plugin } from 'vite';

const INDEX = 'virtual:messages';
const DEV_PATH = '/@messages/';

/**
 * Serves the texts of the web.
 * `virtual:messages` exports `urls`, where each locale's catalogue is fetched from, and `loaders`, which import it on
 * the server (in the browser it is empty). A catalogue is its merged texts by key: a plain text as a string, one with
 * arguments as its syntax tree, so that the browser needs no parser.
 */
export function messagesPlugin(): Plugin {
  let isBuild = false;
  return {
    name: 'officium-messages',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    resolveId(id) {
      if (id === INDEX || id.startsWith(`${INDEX}/`)) return `\0${id}`;
      return undefined;
    },
    load(id) {
      if (id === `\0${INDEX}`) return indexModule(isBuild, this.environment.name === 'client');
      const locale = id.startsWith(`\0${INDEX}/`) ? id.slice(INDEX.length + 2) : undefined;
      return isLocale(locale) ? `export default JSON.parse(${JSON.stringify(compile(locale))})` : undefined;
    },
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const locale of LOCALES) {
        const source = compile(locale);
        this.emitFile({ type: 'asset', fileName: fileNameOf(locale, source), source });
      }
    },
    configureServer(server) {
      server.watcher.add(MESSAGES_DIR);
      server.watcher.on('change', (path) => {
        if (!path.startsWith(MESSAGES_DIR)) return;
        for (const environment of Object.values(server.environments)) environment.moduleGraph.invalidateAll();
        server.environments.client.hot.send({ type: 'full-reload' });
      });
      server.middlewares.use((request, response, next) => {
        const locale = request.url?.startsWith(DEV_PATH) ? request.url.slice(DEV_PATH.length, -5) : undefined;
        if (!isLocale(locale)) return next();
        response.setHeader('content-type', 'application/json').end(compile(locale));
      });
    },
  };
}

function indexModule(isBuild: boolean, isClient: boolean): string {
  const urls = LOCALES.map((locale): [Locale, string] => [
    locale,
    isBuild ? `/${fileNameOf(locale, compile(locale))}` : `${DEV_PATH}${locale}.json`,
  ]);
  const loaders = LOCALES.map((locale) => `${JSON.stringify(locale)}: () => import('${INDEX}/${locale}')`);
  return [
    `export const urls = ${JSON.stringify(Object.fromEntries(urls))};`,
    `export const loaders = {${isClient ? '' : loaders.join(',')}};`,
  ].join('\n');
}

function fileNameOf(locale: Locale, source: string): string {
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  return `assets/messages-${locale}-${hash}.json`;
}

function compile(locale: Locale): string {
  const entries = Object.entries(mergeMessages(locale)).filter(([key]) => isForWeb(key));
  return JSON.stringify(Object.fromEntries(entries.map(([key, text]) => [key, compileText(key, locale, text)])));
}

/** Texts of mails and documents are made on the server from i18n/catalogue. */
function isForWeb(key: string): boolean {
  return !key.startsWith('mail.') && !key.startsWith('document.');
}

function compileText(key: string, locale: string, text: string): unknown {
  if (!/[{}<>'#]/.test(text)) return text;
  try {
    return parse(text, { captureLocation: false });
  } catch (error) {
    throw new Error(`message ${key} of ${locale} is malformed: ${String(error)}`, { cause: error });
  }
}
