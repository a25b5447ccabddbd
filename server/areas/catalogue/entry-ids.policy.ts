import { createHash } from 'node:crypto';

const MAX_ID = 64;

/** Checks the length of an id candidate, because a slug may be longer than an id. */
export function fitsEntry(id: string): boolean {
  return id.length <= MAX_ID;
}

/** Returns `<prefix>.<id>`, for an id that another kind of entry already has. Shortened with a hash if too long. */
export function prefixedId(prefix: string, id: string): string {
  const whole = `${prefix}.${id}`;
  if (fitsEntry(whole)) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 12);
  return `${whole.slice(0, MAX_ID - 13)}.${hash}`;
}

/** Assigns entry ids, each at most once. `types` maps existing entry ids to their content types. */
export class EntryIds {
  readonly #types: Map<string, string>;
  readonly #given = new Set<string>();

  constructor(types: Map<string, string>) {
    this.#types = types;
  }

  /** Assigns the first candidate that is unused, or belongs to an unclaimed entry of the same type. */
  give(contentType: string, wanted: string[]): string {
    const id = wanted.find(
      (candidate) => !this.#given.has(candidate) && (this.#types.get(candidate) ?? contentType) === contentType,
    );
    if (id === undefined) throw new Error(`No entry id is free for ${wanted[0]}`);
    this.reserve(id);
    return id;
  }

  /** Claims the id of an existing entry; false when it is already claimed. */
  take(id: string): boolean {
    const isFree = !this.#given.has(id);
    this.reserve(id);
    return isFree;
  }

  reserve(id: string): void {
    this.#given.add(id);
  }
}
