import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { FolderFinding } from './folder.format.ts';

export type FieldPath = readonly PropertyKey[];
/** A YAML file read into plain values that still knows on which line each stands. */
export type YamlSource = {
  value: unknown;
  lineOf: (path: FieldPath) => number;
  findings: FolderFinding[];
  warnings: FolderFinding[];
};

/** No honest content file needs more; a file that unfolds into millions of nodes does. */
const MAX_ALIASES = 100;

/** Reads one YAML document. What does not parse is in `findings`, and `value` is then undefined. */
export function parseYaml(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const failure = (message: string, at = 0): YamlSource => ({
    value: undefined,
    lineOf: () => 1,
    findings: [{ file, line: lines.linePos(at).line || 1, field: '', message }],
    warnings: [],
  });
  try {
    // The library compares each key with all keys before it: minutes for a map of some ten thousand.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const finding = (error: { message: string; pos: [number, number] }): FolderFinding => ({
      file,
      line: lines.linePos(error.pos[0]).line || 1,
      field: '',
      message: error.message,
    });
    const errors = document.errors.length > 0 ? document.errors : repeatedKeys(document);
    const findings = distinct(errors.map(finding));
    return {
      value: findings.length > 0 ? undefined : document.toJS({ maxAliasCount: MAX_ALIASES }),
      lineOf: (path) =>
        lines.linePos(offsetOf(document.contents, path, (node) => (isAlias(node) ? node.resolve(document) : node)))
          .line || 1,
      findings,
      warnings: document.warnings.map(finding),
    };
  } catch (error) {
    // The parser throws for alias bombs and runs out of stack on absurd nesting.
    return failure(
      error instanceof RangeError ? 'Nested too deeply' : error instanceof Error ? error.message : String(error),
    );
  }
}

/** Keys that occur twice in one map. */
function repeatedKeys(document: Document): { message: string; pos: [number, number] }[] {
  const repeated: { message: string; pos: [number, number] }[] = [];
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [start = 0, end = 0] = key.range ?? [];
        if (keys.has(key.value)) repeated.push({ message: 'Map keys must be unique', pos: [start, end] });
        keys.add(key.value);
      }
    },
  });
  return repeated;
}

/** A parser that is lost says the same of one place over and over. */
function distinct(findings: FolderFinding[]): FolderFinding[] {
  return [...new Map(findings.map((finding) => [`${finding.line} ${finding.message}`, finding])).values()];
}

/** The offset of the deepest part of the path that exists: for a missing field, of what should hold it. */
function offsetOf(root: unknown, path: FieldPath, follow: (node: unknown) => unknown): number {
  let node = follow(root);
  let offset = (node as Node | null)?.range?.[0] ?? 0; // the root of a document is a node or null
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (!pair) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset; // found as a scalar above
      node = follow(pair.value);
    } else if (isSeq(node)) {
      const item = node.items[Number(key)];
      if (item === undefined) return offset;
      offset = (item as Node).range?.[0] ?? offset; // items of a parsed sequence are nodes
      node = follow(item);
    } else return offset;
  }
  return offset;
}

/** `courses[0].title.en` */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name === '' ? String(key) : `${name}.${String(key)}`),
    '',
  );
}
