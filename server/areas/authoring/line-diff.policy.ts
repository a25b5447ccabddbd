import { diffArrays } from 'diff';

export type DiffLine = { kind: 'same' | 'added' | 'removed' | 'skipped'; text: string };
/** `isCut`: too much differs to compare or show, so the lines are only the first ones. */
export type LineDiff = { lines: DiffLine[]; isCut: boolean };

/** Number of unchanged lines shown around a change. */
const AROUND = 2;
/**
 * Comparing costs the number of lines times the number of changed lines, and whoever writes a text decides both. The
 * first bound is for one comparison of two states, the second for each of its texts.
 */
const MAX_WORK = { all: 4_000_000, text: 2_000_000 };
const MAX_SHOWN = { all: 4_000, text: 1_500, uncompared: 100 };

/** Compares the texts of two states line by line, with bounded work and output. */
export class LineComparison {
  #work = MAX_WORK.all;
  #shown = MAX_SHOWN.all;

  compare(before: string, after: string): LineDiff {
    const [then, now] = [linesOf(before), linesOf(after)];
    const start = countEqual(then, now, (lines, nth) => lines[nth]);
    const [left, right] = [then.slice(start), now.slice(start)];
    const end = countEqual(left, right, (lines, nth) => lines.at(-1 - nth));
    const [removed, added] = [left.slice(0, left.length - end), right.slice(0, right.length - end)];
    const middle = this.#diff(removed, added);
    const found = middle ?? [...firstOf('removed', removed), ...firstOf('added', added)];
    const lines = withoutUnchanged([
      ...then.slice(0, start).map(same),
      ...found,
      ...then.slice(then.length - end).map(same),
    ]);
    const shown = lines.slice(0, Math.min(this.#shown, MAX_SHOWN.text));
    this.#shown -= shown.length;
    return { lines: shown, isCut: middle === undefined || shown.length < lines.length };
  }

  #diff(removed: readonly string[], added: readonly string[]): DiffLine[] | undefined {
    const size = removed.length + added.length;
    if (removed.length === 0 || added.length === 0) return [...whole('removed', removed), ...whole('added', added)];
    const maxEditLength = Math.min(size, Math.floor(Math.min(this.#work, MAX_WORK.text) / size));
    // Numbers compare in constant time, unlike lines.
    const numbers = new Map<string, number>();
    const numberOf = (line: string) => numbers.get(line) ?? numbers.set(line, numbers.size).size - 1;
    const parts = diffArrays(removed.map(numberOf), added.map(numberOf), { maxEditLength });
    if (!parts) {
      this.#work -= maxEditLength * size;
      return undefined;
    }
    const names = [...numbers.keys()];
    const lines = parts.flatMap(({ value, added: isAdded, removed: isRemoved }) =>
      whole(
        isAdded ? 'added' : isRemoved ? 'removed' : 'same',
        value.map((number) => names[number] ?? ''),
      ),
    );
    this.#work -= size * lines.filter(({ kind }) => kind !== 'same').length;
    return lines;
  }
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const whole = (kind: DiffLine['kind'], lines: readonly string[]) => lines.map((text): DiffLine => ({ kind, text }));

function firstOf(kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] {
  const first = whole(kind, lines.slice(0, MAX_SHOWN.uncompared));
  return first.length < lines.length ? [...first, { kind: 'skipped', text: '' }] : first;
}

/** A final line break does not count as a difference. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

type At = (lines: readonly string[], nth: number) => string | undefined;

function countEqual(one: readonly string[], other: readonly string[], at: At): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && at(one, count) === at(other, count)) count += 1;
  return count;
}

/** Leaves out unchanged lines that are not next to a change. */
function withoutUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(at - AROUND, 0), at + AROUND + 1).some((line) => line.kind !== 'same'),
  );
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNear[at]) return [line];
    return at === 0 || isNear[at - 1] ? [{ kind: 'skipped', text: '' }] : [];
  });
}
