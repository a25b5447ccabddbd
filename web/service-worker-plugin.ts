import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Builds worker/sw.ts as /sw.js: a name that stays, for a browser asks at it for a new release. */
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
