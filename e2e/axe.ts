import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { settleContrast } from './contrast.ts';

/** WCAG 2.2 at level AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Undecided axe results that a person has reviewed, by rule and message, with the finding. Other undecided results
 * count as faults until they are listed here. Contrast is not listed: contrast.ts computes what axe cannot decide.
 */
export const REVIEWED: readonly { rule: string; question: string; finding: string }[] = [];

type Choice = { only?: string[] | undefined; without?: string | undefined };

export type Inspection = {
  /** Violations and unreviewed results, one line each. */
  faults: string[];
  /** Undecided results settled by contrast.ts or by REVIEWED. */
  settled: number;
  engine: string;
};

/** Runs axe on a page: violations and undecided results. Our pages have no frames, so one document is enough. */
async function runAxe(page: Page, options: RunOptions): Promise<Pick<AxeResults, 'violations' | 'incomplete'>> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axe.source);
  // Colours on their way from one theme to the other have the contrast of neither.
  await page.evaluate(async () => {
    const isShort = ({ effect }: Animation) => Number(effect?.getComputedTiming().endTime ?? 0) < 1000;
    const passing = document.getAnimations().filter(isShort);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
  return await page.evaluate(async (asked) => {
    const { scrollX: left, scrollY: top } = window;
    // Targets half under the sticky header would count as too small.
    scrollTo({ top: 0, behavior: 'instant' });
    const { violations, incomplete } = await (window as unknown as { axe: typeof axe }).axe.run(document, asked); // injected above
    scrollTo({ left, top, behavior: 'instant' });
    return { violations, incomplete };
  }, options);
}

const ALL: RunOptions = {
  runOnly: { type: 'tag', values: RULES },
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations', 'incomplete'],
  preload: { assets: ['media'] }, // these rules do not read style sheets
};

/** The axe violations of a page, one line each. */
export async function axeFaults(page: Page): Promise<string[]> {
  return linesOf((await runAxe(page, ALL)).violations);
}

const linesOf = (violations: AxeResults['violations']) =>
  violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`));

/** The axe results of a page: all rules, `only` some, or all but `without`. */
export async function inspect(page: Page, { only, without }: Choice = {}): Promise<Inspection> {
  const options: RunOptions = only
    ? { ...ALL, runOnly: { type: 'rule', values: only } }
    : { ...ALL, rules: { ...ALL.rules, ...(without ? { [without]: { enabled: false } } : {}) } };
  const { violations, incomplete } = await runAxe(page, options);
  const { questions, faint } = await settle(page, incomplete);
  const open = questions.filter(({ isSettled }) => !isSettled);
  return {
    faults: [...linesOf(violations), ...faint, ...open.map(({ line }) => line)],
    settled: questions.length - open.length,
    engine: axe.version,
  };
}

type Doubts = AxeResults['incomplete'];

async function settle(page: Page, incomplete: Doubts) {
  const nodes = incomplete.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, node })));
  const contrast = nodes.filter(({ id }) => id === 'color-contrast').map(({ node }) => node.target.join(' '));
  const faint = contrast.length ? await settleContrast(page, contrast) : [];
  const questions = nodes.flatMap(({ id, node }) =>
    [...node.any, ...node.all, ...node.none].map(({ message }) => ({
      isSettled:
        id === 'color-contrast' || REVIEWED.some((known) => known.rule === id && message.includes(known.question)),
      line: `${id} undecided for ${node.target.join(' ')}: ${message}`,
    })),
  );
  return { questions, faint };
}
