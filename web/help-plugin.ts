import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { type Help, readHelp } from './help-pages.ts';
import own from './package.json' with { type: 'json' };

const ID = 'virtual:help';
const DOCS = fileURLToPath(new URL('../docs', import.meta.url));

/** `virtual:help` exports `pages`, the rendered help; empty in the browser. Its pictures are assets of the build. */
export function helpPlugin(): Plugin {
  let help: Help | undefined;
  const read = () => (help ??= readHelp());
  return {
    name: 'officium-help',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined;
      const pages = this.environment.name === 'client' ? [] : read().pages;
      return `export const version = ${JSON.stringify(own.version)};\nexport const pages = JSON.parse(${JSON.stringify(JSON.stringify(pages))});`;
    },
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const { path, source } of read().pictures) this.emitFile({ type: 'asset', fileName: path, source });
    },
    configureServer(server) {
      server.watcher.add(DOCS);
      server.watcher.on('change', (path) => {
        if (!path.startsWith(DOCS)) return;
        help = undefined;
        for (const environment of Object.values(server.environments)) environment.moduleGraph.invalidateAll();
        server.environments.client.hot.send({ type: 'full-reload' });
      });
      server.middlewares.use((request, response, next) => {
        const picture = request.url?.startsWith('/assets/help-')
          ? read().pictures.find(({ path }) => request.url === `/${path}`)
          : undefined;
        if (!picture) return next();
        response.setHeader('content-type', 'image/webp').end(picture.source);
      });
    },
  };
}
