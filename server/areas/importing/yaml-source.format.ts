import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { FolderFinding } from './folder.format.ts';

export type FieldPath = readonly PropertyKey[];
/** A YAML file parsed to plain values, with the line of each value. */
export type YamlSource = {
  value: unknown;
  lineOf: (path: FieldPath) => number;
  findings: FolderFinding[];
  warnings: FolderFinding[];
};

/**
 * Limits the aliases of a file, which the library resolves by searching all nodes before them, and what they expand to:
 * a small file could otherwise hold a process for minutes.
 */
const MAX_ALIASES = 100;

/** The parser overflows the stack on deep nesting, and reports that as an error of the document. */
const OVERFLOW = /call stack/i;
const TOO_DEEP = 'Nested too deeply';

/** Parses one YAML document. On errors, `findings` contains them and `value` is undefined. */
export function parseYaml(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const failure = (message: string, at = 0): YamlSource => ({
    value: undefined,
    lineOf: () => 1,
    findings: [{ file, line: lines.linePos(at).line || 1, field: '', message }],
    warnings: [],
  });
  try {
    // The library's own check for unique keys takes quadratic time.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const finding = (error: { message: string; pos: [number, number] }): FolderFinding => ({
      file,
      line: lines.linePos(error.pos[0]).line || 1,
      field: '',
      message: OVERFLOW.test(error.message) ? TOO_DEEP : error.message,
    });
    if (countAliases(document) > MAX_ALIASES) return failure(`More than ${MAX_ALIASES} aliases`);
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
    // The parser throws for alias bombs, and sometimes for deep nesting.
    return failure(error instanceof RangeError ? TOO_DEEP : error instanceof Error ? error.message : String(error));
  }
}

function countAliases(document: Document): number {
  let count = 0;
  visit(document, { Alias: () => void (count += 1) });
  return count;
}

/** Finds duplicate keys in maps. */
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

/** Removes duplicates, because the parser may report the same error many times at one position. */
function distinct(findings: FolderFinding[]): FolderFinding[] {
  return [...new Map(findings.map((finding) => [`${finding.line} ${finding.message}`, finding])).values()];
}

const indexes = new WeakMap<YAMLMap, Map<string, Pair>>();

/** The pairs of a map by key, the first of each. Indexed once: a file may have a fault at each of its keys. */
function pairsOf(map: YAMLMap): Map<string, Pair> {
  let index = indexes.get(map);
  if (!index) {
    const keyed = map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : []));
    index = new Map(keyed.toReversed());
    indexes.set(map, index);
  }
  return index;
}

/** Returns the offset of the deepest existing part of the path. For a missing field, that is its parent. */
function offsetOf(root: unknown, path: FieldPath, follow: (node: unknown) => unknown): number {
  let node = follow(root);
  let offset = (node as Node | null)?.range?.[0] ?? 0; // a document's root is a node or null
  for (const key of path) {
    if (isMap(node)) {
      const pair = pairsOf(node).get(String(key));
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
