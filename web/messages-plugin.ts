import { createHash } from 'node:crypto';
import { parse } from '@formatjs/icu-messageformat-parser';
import { mergeMessages, MESSAGES_DIR } from '@officium/i18n/catalogue';
import { isLocale, LOCALES, type Locale } from '@officium/i18n/locales';
import type { Plugin } from 'vite';

const INDEX = 'virtual:messages';
const DEV_PATH = '/@messages/';

/** Messages for all pages, and those only the administration or the editor of lessons and articles needs. */
const PARTS = ['common', 'admin', 'editor'] as const;
type MessagesPart = (typeof PARTS)[number];

/**
 * Serves the messages of the web. `virtual:messages` exports `urls`, the address of each part of each catalogue, and
 * `loaders`, which import it on the server (empty in the browser). A part maps keys to messages: plain ones as strings,
 * others as syntax trees, so that the browser needs no parser.
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
      const named = id.startsWith(`\0${INDEX}/`) ? partOf(id.slice(INDEX.length + 2)) : undefined;
      return named ? `export default JSON.parse(${JSON.stringify(compile(...named))})` : undefined;
    },
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const part of PARTS) {
        const hash = hashOf(part);
        for (const locale of LOCALES)
          this.emitFile({ type: 'asset', fileName: fileNameOf(part, locale, hash), source: compile(part, locale) });
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
        const named = request.url?.startsWith(DEV_PATH) ? partOf(request.url.slice(DEV_PATH.length, -5)) : undefined;
        if (!named) return next();
        response.setHeader('content-type', 'application/json').end(compile(...named));
      });
    },
  };
}

/** Splits `admin/fr` into a known part and locale. */
function partOf(name: string): [MessagesPart, Locale] | undefined {
  const [part, locale] = name.split('/');
  const known = PARTS.find((one) => one === part);
  return known && isLocale(locale) ? [known, locale] : undefined;
}

function indexModule(isBuild: boolean, isClient: boolean): string {
  const byLocale = (entry: (part: MessagesPart, locale: Locale) => string) =>
    PARTS.map((part) => {
      const entries = LOCALES.map((locale) => `${JSON.stringify(locale)}:${entry(part, locale)}`);
      return `${part}:{${entries.join(',')}}`;
    }).join(',');
  const hashes = isBuild ? Object.fromEntries(PARTS.map((part) => [part, hashOf(part)])) : {};
  const urls = byLocale((part, locale) =>
    JSON.stringify(isBuild ? `/${fileNameOf(part, locale, hashes[part] ?? '')}` : `${DEV_PATH}${part}/${locale}.json`),
  );
  const loaders = byLocale((part, locale) => `() => import('${INDEX}/${part}/${locale}')`);
  return `export const urls = {${urls}};\nexport const loaders = {${isClient ? '' : loaders}};`;
}

/** One hash for all languages of a part keeps the list of addresses small, which every page loads. */
function fileNameOf(part: MessagesPart, locale: Locale, hash: string): string {
  return `assets/messages-${locale}${part === 'common' ? '' : `-${part}`}-${hash}.json`;
}

function hashOf(part: MessagesPart): string {
  const hash = createHash('sha256');
  for (const locale of LOCALES) hash.update(compile(part, locale));
  return hash.digest('base64url').slice(0, 7);
}

function compile(part: MessagesPart, locale: Locale): string {
  const entries = Object.entries(mergeMessages(locale)).filter(([key]) => isOf(part, key));
  return JSON.stringify(Object.fromEntries(entries.map(([key, text]) => [key, compileText(key, locale, text)])));
}

/** Messages of mails and documents are in no part: the server reads them from i18n/catalogue. */
function isOf(part: MessagesPart, key: string): boolean {
  if (key.startsWith('mail.') || key.startsWith('document.')) return false;
  const own = PARTS.find((each) => key.startsWith(`${each}.`) && each !== 'common');
  return (own ?? 'common') === part;
}

function compileText(key: string, locale: string, text: string): unknown {
  if (!/[{}<>'#]/.test(text)) return text;
  try {
    return parse(text, { captureLocation: false });
  } catch (error) {
    throw new Error(`message ${key} of ${locale} is malformed: ${String(error)}`, { cause: error });
  }
}
