import MarkdownIt from 'markdown-it';

/** A half-open range: `end` is the first index after it. */
export type Region = { start: number; end: number };
export type MarkdownRegions = {
  /** Fenced and indented blocks (whole lines) and code spans, in order. */
  code: Region[];
  /** Blocks that CommonMark reads as HTML. `nested` ones are inside a list or a quote. */
  html: (Region & { nested: boolean })[];
  /** Positions of `\<` in running text. */
  escapedBrackets: number[];
};

const blocks = new MarkdownIt({ html: true });
blocks.core.ruler.enableOnly(['normalize', 'block']);

/** Finds the Markdown regions that matter to a sanitiser. Reads block structure and code only. */
export function findRegions(source: string): MarkdownRegions {
  const lines = lineStarts(source);
  const regions: MarkdownRegions = { code: [], html: [], escapedBrackets: [] };
  let row: [number, number] | null = null;
  for (const token of blocks.parse(source, {})) {
    if (token.type === 'tr_open') row = token.map;
    const map = token.map ?? (token.type === 'inline' ? row : null);
    if (!map) continue;
    const region = { start: lines[map[0]] ?? source.length, end: lines[map[1]] ?? source.length };
    if (token.type === 'fence' || token.type === 'code_block') regions.code.push(region);
    else if (token.type === 'html_block') regions.html.push({ ...region, nested: token.level > 0 });
    else if (token.type === 'inline') {
      if (token.map) scanInline(source, region, regions);
      else if (row) {
        // Tokens of table cells have no position, so the row is scanned once, cell by cell.
        row = null;
        for (const cell of cellsOf(source, region)) scanInline(source, cell, regions);
      }
    }
  }
  return regions;
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (const match of source.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}

function cellsOf(source: string, { start, end }: Region): Region[] {
  const cells: Region[] = [];
  let from = start;
  for (let at = start; at < end; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '|') {
      cells.push({ start: from, end: at });
      from = at + 1;
    }
  }
  cells.push({ start: from, end });
  return cells;
}

const TAG =
  /<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|\/[a-z][a-z0-9-]*\s*>)/iy;

/** In CommonMark, escapes, code spans and tags have equal precedence: the leftmost one wins. */
function scanInline(source: string, { start, end }: Region, regions: MarkdownRegions): void {
  const text = source.slice(start, end);
  const closers = backtickRuns(text);
  const next = /[\\`<]/g;
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const at = match.index;
    if (match[0] === '\\') {
      if (text[at + 1] === '<') regions.escapedBrackets.push(start + at);
      next.lastIndex = at + 2;
    } else if (match[0] === '<') {
      TAG.lastIndex = at;
      if (TAG.test(text)) next.lastIndex = TAG.lastIndex;
    } else {
      let length = 1;
      while (text[at + length] === '`') length++;
      const positions = closers.get(length);
      while (positions?.length && positions.at(-1)! < at + length) positions.pop(); // the length was checked
      const close = positions?.at(-1);
      next.lastIndex = close === undefined ? at + length : close + length;
      if (close !== undefined) regions.code.push({ start: start + at, end: start + close + length });
    }
  }
}

/** Positions of backtick runs by length, in descending order, so that `pop` yields the nearest one. */
function backtickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const positions = runs.get(run.length);
    if (positions) positions.push(index);
    else runs.set(run.length, [index]);
  }
  return runs;
}
