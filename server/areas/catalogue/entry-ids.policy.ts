import { createHash } from 'node:crypto';

const MAX_ID = 64;

/** A slug may be longer than an id. */
export function fitsEntry(id: string): boolean {
  return id.length <= MAX_ID;
}

/** An entry id for something whose own id another kind of entry has: `<prefix>.<id>`, shortened when it gets too long. */
export function prefixedId(prefix: string, id: string): string {
  const whole = `${prefix}.${id}`;
  if (fitsEntry(whole)) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 12);
  return `${whole.slice(0, MAX_ID - 13)}.${hash}`;
}

/** Gives out entry ids, each once. `types` are the entries that exist. */
export class EntryIds {
  readonly #types: Map<string, string>;
  readonly #given = new Set<string>();

  constructor(types: Map<string, string>) {
    this.#types = types;
  }

  /** The first id that is free, or stands for an entry of the same type that nothing else claimed. */
  give(contentType: string, wanted: string[]): string {
    const id = wanted.find(
      (candidate) => !this.#given.has(candidate) && (this.#types.get(candidate) ?? contentType) === contentType,
    );
    if (id === undefined) throw new Error(`No entry id is free for ${wanted[0]}`);
    this.reserve(id);
    return id;
  }

  /** Claims an id that has an entry already; false when something else claimed it. */
  take(id: string): boolean {
    const isFree = !this.#given.has(id);
    this.reserve(id);
    return isFree;
  }

  reserve(id: string): void {
    this.#given.add(id);
  }
}
