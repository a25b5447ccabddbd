import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEB_DIR } from './build.ts';

/** Sheets of app/large-fonts.ts by the language that they serve. */
const SHEETS = [
  { locale: 'ja', name: /^japanese-[\w-]+\.css$/ },
  { locale: 'ko', name: /^korean-[\w-]+\.css$/ },
] as const;

export type BuiltFonts = {
  /** The faces of the interface in app.css, and the rule that uses them. */
  css: string;
  /** The address of a style sheet by language, where system fonts may lack it. */
  sheets: Readonly<Record<string, string>>;
};

/** The fonts of the built pages, for pages that the server writes itself. */
export function readBuiltFonts(): BuiltFonts {
  const folder = join(WEB_DIR, 'build/client/assets');
  const files = readdirSync(folder);
  const app = files.find((file) => /^app-[\w-]+\.css$/.test(file));
  const sheets = SHEETS.flatMap(({ locale, name }) => {
    const file = files.find((one) => name.test(one));
    return file ? [[locale, `/assets/${file}`] as const] : [];
  });
  return { css: app ? uprightSans(readFileSync(join(folder, app), 'utf8')) : '', sheets: Object.fromEntries(sheets) };
}

function uprightSans(css: string): string {
  const [, family] = /--font-sans:([^;}]+)/.exec(css) ?? [];
  if (!family) return '';
  const faces = css.match(/@font-face\{[^}]*\}/g) ?? [];
  const own = faces.filter((face) => !/font-family:"?[\w -]*Serif|font-style:italic/.test(face));
  return `${own.join('')}body{font-family:${family}}`;
}
