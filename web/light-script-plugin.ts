import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const ID = 'virtual:light';
const ENTRY = fileURLToPath(new URL('./app/light/script.ts', import.meta.url));

/** `virtual:light` exports `script`: the address of app/light/script.ts, bundled separately from the application. */
export function lightScriptPlugin(): Plugin {
  let bundled: Promise<{ source: string; fileName: string }> | undefined;
  return {
    name: 'officium-light-script',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return undefined;
      // A page has either the application or this script; in development always the application.
      if (this.environment.name === 'client' || this.environment.mode === 'dev') return `export const script = '';`;
      const { fileName } = await (bundled ??= bundle());
      return `export const script = ${JSON.stringify(`/${fileName}`)};`;
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      this.emitFile({ type: 'asset', ...(await (bundled ??= bundle())) });
    },
  };
}

async function bundle(): Promise<{ source: string; fileName: string }> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, target: 'es2022', rolldownOptions: { input: ENTRY, output: { format: 'iife' } } },
  });
  const [result] = [built].flat();
  const [chunk] = result && 'output' in result ? result.output : [];
  if (!chunk) throw new Error(`${ENTRY} did not build`);
  const hash = createHash('sha256').update(chunk.code).digest('base64url').slice(0, 8);
  return { source: chunk.code, fileName: `assets/light-${hash}.js` };
}
