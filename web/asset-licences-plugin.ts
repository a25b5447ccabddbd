import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Path of the third-party licences; Vite's `build.license` writes those of scripts. */
export const LICENCES_FILE = 'third-party-licences.txt';

/** Packages outside Vite's module graph: Tailwind's part of the style sheet and the script of the API reference. */
const OTHERS = ['tailwindcss', '@scalar/fastify-api-reference'];

/** Adds the licences of assets that Vite does not bundle and `build.license` leaves out. */
export function assetLicencesPlugin(): Plugin {
  return {
    name: 'officium-asset-licences',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        if (this.environment.name !== 'client') return;
        const file = bundle[LICENCES_FILE];
        if (file?.type !== 'asset') throw new Error(`build.license wrote no ${LICENCES_FILE}`);
        const root = this.environment.config.root;
        const ofAssets = Object.values(bundle)
          .flatMap((one) => (one.type === 'asset' ? one.originalFileNames : []))
          .filter((name) => name.includes('node_modules/'))
          .map((name) => packageFolder(join(root, name)));
        const ofOthers = OTHERS.map((name) => packageFolder(fileURLToPath(import.meta.resolve(name))));
        const ofScripts = String(file.source).trimEnd();
        const others = [...new Set([...ofAssets, ...ofOthers].map(licenceOf))].filter(
          (one) => !ofScripts.includes(one),
        );
        file.source = `${[ofScripts, ...others.toSorted()].join('\n\n')}\n`;
      },
    },
  };
}

function packageFolder(file: string): string {
  const folder = dirname(file);
  return existsSync(join(folder, 'package.json')) ? folder : packageFolder(folder);
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    [key in 'name' | 'version' | 'license']: string; // every package we use has all three
  };
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no licence text`);
  return `## ${name} - ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
}
