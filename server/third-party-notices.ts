import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STANDARD_TEXTS = fileURLToPath(new URL('./licences', import.meta.url));
const RULE = '-'.repeat(80);

/** Full texts for packages that only name their licence. The LGPL extends the GPL, so it needs both. */
const STANDARD: Record<string, readonly string[]> = {
  'Apache-2.0': [join(ROOT, 'LICENSE')],
  MIT: [join(STANDARD_TEXTS, 'MIT.txt')],
  'LGPL-3.0-or-later': [join(STANDARD_TEXTS, 'LGPL-3.0.txt'), join(STANDARD_TEXTS, 'GPL-3.0.txt')],
};

type LockedPackage = { dev?: boolean; link?: boolean };
type Manifest = {
  name: string;
  version: string;
  license?: string;
  author?: string | { name?: string };
  homepage?: string;
  repository?: string | { url?: string };
};
type Notice = { heading: string; texts: string[] };

/** Folders of the production packages of the lock file that are installed; binaries for other systems are not. */
export function productionPackages(root = ROOT): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>; // npm's own format
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path]) => join(root, path))
    .filter((folder) => existsSync(join(folder, 'package.json')));
}

/** Names, sources and licence texts of the packages in these folders and of Node.js. Equal texts appear once. */
export function thirdPartyNotices(folders: readonly string[]): string {
  const notices = [nodeNotice(), ...folders.map(packageNotice)];
  const headingsByText = new Map<string, Set<string>>();
  for (const { heading, texts } of notices)
    for (const text of texts) {
      const headings = headingsByText.get(text) ?? new Set();
      headingsByText.set(text, headings.add(heading));
    }
  const sections = [...headingsByText].map(
    ([text, headings]) => `${RULE}\n${[...headings].toSorted().join('\n')}\n${RULE}\n\n${text}\n`,
  );
  return [
    'Third-party notices\n\nOfficium is distributed with the software below. Each licence follows the names it applies to.\n',
    ...sections,
  ].join('\n');
}

function packageNotice(folder: string): Notice {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // npm's own format
  const { name, version, license, author, repository, homepage } = manifest;
  const own = ownTexts(folder);
  const texts = own.some(({ isLicence }) => isLicence) ? own : [...own, ...standardTexts(license, name)];
  const source = (typeof repository === 'object' ? repository.url : repository) ?? homepage;
  const by = typeof author === 'object' ? author.name : author;
  return {
    heading: [`${name} ${version}`, license, by, source].filter(Boolean).join(', '),
    texts: texts.map(({ text }) => text),
  };
}

type OwnText = { text: string; isLicence: boolean };

/** The licence texts of a package: its licence files, else the section of its README. */
function ownTexts(folder: string): OwnText[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim();
  const texts = files
    .filter(({ name }) => /^(?:licen[cs]e|copying|copyright|notice|third.?party)/i.test(name))
    .map(({ name }) => ({ text: read(name), isLicence: /^(?:licen[cs]e|copying)/i.test(name) }));
  if (texts.length > 0) return texts;
  const readme = files.find(({ name }) => /^readme/i.test(name));
  const section = readme && /^#+ *licen[cs](?:e|ing)\b.*$/im.exec(read(readme.name));
  if (!section) return [];
  const text = section.input.slice(section.index);
  return [{ text, isLicence: text.includes('Permission is hereby granted') }];
}

function standardTexts(license: string | undefined, name: string): OwnText[] {
  const files = STANDARD[license ?? ''];
  if (!files) throw new Error(`${name} has no licence text, and server/licences has none for ${license}`);
  return files.map((file) => ({ text: readFileSync(file, 'utf8').trim(), isLicence: true }));
}

/** Releases of Node.js contain their licences, with those of bundled code, beside `bin`. */
function nodeNotice(): Notice {
  const file = join(dirname(dirname(process.execPath)), 'LICENSE');
  const text = existsSync(file)
    ? readFileSync(file, 'utf8').trim()
    : `https://github.com/nodejs/node/blob/${process.version}/LICENSE`;
  return { heading: `Node.js ${process.version}, https://nodejs.org`, texts: [text] };
}
