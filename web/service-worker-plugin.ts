import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Builds worker/sw.ts as /sw.js. The name is stable because browsers check it for new releases. */
export function serviceWorkerPlugin(): Plugin {
  return {
    name: 'officium-service-worker',
    apply: 'build',
    buildStart() {
      if (this.environment.name !== 'client') return;
      const id = fileURLToPath(new URL('./worker/sw.ts', import.meta.url));
      this.emitFile({ type: 'chunk', id, fileName: 'sw.js' });
    },
  };
}
