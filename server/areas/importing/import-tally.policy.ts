export type ImportSummary = { added: number; changed: number; unchanged: number; withdrawn: number };

export type ItemOutcome = 'unchanged' | 'changed' | 'added' | 'withdrawn';

/** Counts the outcome of an import per item: academies, courses, journeys, lessons, microcourses, communities. */
export class ImportTally {
  readonly #items = new Map<string, ItemOutcome>();

  /** Registers items of the folder by row key. */
  expect(keys: Iterable<string>): void {
    for (const key of keys) this.#items.set(key, 'unchanged');
  }

  rows(changed: { key: unknown[]; isNew: boolean }[]): void {
    for (const { key, isNew } of changed) this.mark(String(key[0]), isNew ? 'added' : 'changed');
  }

  mark(key: string, outcome: ItemOutcome): void {
    if (this.#items.get(key) !== 'added') this.#items.set(key, outcome);
  }

  changed(keys: Iterable<string>): void {
    for (const key of keys) this.mark(key, 'changed');
  }

  /** Returns the changed items by row key. */
  changes(): Map<string, Exclude<ItemOutcome, 'unchanged'>> {
    const changes = new Map<string, Exclude<ItemOutcome, 'unchanged'>>();
    for (const [key, outcome] of this.#items) if (outcome !== 'unchanged') changes.set(key, outcome);
    return changes;
  }

  summary(): ImportSummary {
    const summary: ImportSummary = { added: 0, changed: 0, unchanged: 0, withdrawn: 0 };
    for (const outcome of this.#items.values()) summary[outcome] += 1;
    return summary;
  }
}
