import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Manifest = {
  entry: { imports: string[] };
  routes: Record<string, Record<string, unknown> & { imports: string[] }>;
};

/**
 * Shortens the list of all routes, which every page with the application loads: it leaves out what is false or empty,
 * and the scripts that every page has loaded by then.
 */
export async function slimManifest(client: string): Promise<void> {
  const assets = join(client, 'assets');
  const name = (await readdir(assets)).find((file) => /^manifest-\w+\.js$/.test(file));
  if (!name) throw new Error(`no list of routes in ${assets}`);
  const source = await readFile(join(assets, name), 'utf8');
  const [, before = '', json = '', after = ''] = /^([^{]*)(\{.*\})([^}]*)$/s.exec(source) ?? [];
  const manifest = JSON.parse(json) as Manifest; // written by the build
  await writeFile(join(assets, name), before + JSON.stringify(slim(manifest)) + after);
}

function slim({ routes, ...rest }: Manifest): Manifest {
  const loaded = new Set(rest.entry.imports);
  const slimmed = Object.entries(routes).map(([id, { imports, ...route }]) => {
    const kept = Object.entries(route).filter(
      ([, value]) => value !== false && !(Array.isArray(value) && !value.length),
    );
    return [id, { ...Object.fromEntries(kept), imports: imports.filter((file) => !loaded.has(file)) }] as const;
  });
  return { ...rest, routes: Object.fromEntries(slimmed) };
}
