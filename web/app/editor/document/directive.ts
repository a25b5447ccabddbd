/** The first line of a block. `label` and `settings` are as written, without their brackets; null if there are none. */
export type Opening = { colons: number; name: string; label: string | null; settings: string | null };

const MAX_LINE = 4_000;
const MAX_SETTINGS = 20;
const START = /^(:{2,20})([a-z][a-z0-9-]{0,31})(?![a-z0-9_-])/;
const SETTING =
  /[ \t]*(?:#([\p{L}\p{N}_-]{1,64})|([a-z][a-z0-9-]{0,31})(?:=(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s"'=<>`{}][^\s"'<>`{}]*)))?)(?=[ \t]|$)/uy;

/** Reads the first line of a block, trimmed, with the grammar of server/text/blocks/directive.ts. */
export function readOpening(line: string): Opening | undefined {
  if (line.length > MAX_LINE) return undefined;
  const [start = '', colons = '', name = ''] = START.exec(line) ?? [];
  if (start === '') return undefined;
  const end = line[start.length] === '[' ? labelEnd(line, start.length) : start.length - 1;
  if (end === -1) return undefined;
  const rest = line.slice(end + 1);
  const settings = rest === '' ? null : rest.startsWith('{') && rest.endsWith('}') ? rest.slice(1, -1) : undefined;
  if (settings === undefined || (settings !== null && readSettings(settings) === undefined)) return undefined;
  const label = end < start.length ? null : line.slice(start.length + 1, end);
  return { colons: colons.length, name, label, settings };
}

export function writeOpening({ colons, name, label, settings }: Opening): string {
  const title = label === null ? '' : `[${label}]`;
  return `${':'.repeat(colons)}${name}${title}${settings === null ? '' : `{${settings}}`}`;
}

/** The number of colons of a closing line; 0 for any other line. */
export function closingColons(line: string): number {
  const trimmed = line.trim();
  return /^:{3,}$/.test(trimmed) ? trimmed.length : 0;
}

type Setting = { key: string; value: string; start: number; end: number };

/** The settings of a block with their places; undefined if they are written wrongly. */
export function readSettings(settings: string): Setting[] | undefined {
  const found: Setting[] = [];
  let at = 0;
  while (settings.slice(at).trim() !== '') {
    SETTING.lastIndex = at;
    const match = SETTING.exec(settings);
    if (!match || found.length === MAX_SETTINGS) return undefined;
    const [text, id, key = 'id', ...values] = match;
    const value = id ?? values.find((each) => each !== undefined) ?? '';
    found.push({ key, value: value.replace(/\\(["'\\])/g, '$1'), start: at, end: (at += text.length) });
  }
  return found;
}

/** Replaces one setting and leaves the others as written. An empty value removes it. */
export function withSetting(settings: string | null, key: string, value: string): string | null {
  const before = settings ?? '';
  const old = readSettings(before)?.find((each) => each.key === key);
  const quoted = /^[^\s"'=<>`{}\\][^\s"'<>`{}\\]*$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
  const written = value === '' ? '' : `${key}=${quoted}`;
  const next = old
    ? `${before.slice(0, old.start)}${old.start > 0 && written ? ' ' : ''}${written}${before.slice(old.end)}`
    : [before, written].filter(Boolean).join(' ');
  return next.trim() === '' ? null : next.trim();
}

/** The position of the bracket that closes a label, or -1. */
function labelEnd(line: string, start: number): number {
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === '[') depth++;
    else if (line[at] === ']' && --depth === 0) return at;
  }
  return -1;
}

/** Writes a plain text as a label. */
export function writeLabel(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&');
}
