import AxeBuilder from '@axe-core/playwright';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { settleContrast } from './contrast.ts';

/** WCAG 2.2 at level AA and what is good practice beyond it. */
export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe leaves to people, by rule and by the words of its question, with what somebody found who looked. A question
 * of another kind counts as a fault until it has been looked at and stands here. Contrast is not in this list: what
 * axe cannot decide about it, contrast.ts computes.
 */
export const REVIEWED: readonly { rule: string; question: string; finding: string }[] = [];

type Choice = { only?: string; without?: string };

export type Inspection = {
  /** What is wrong, or nobody has judged yet, as short lines. */
  faults: string[];
  /** How many of axe's questions were settled by computing or by an entry of REVIEWED. */
  settled: number;
  engine: string;
};

/** What axe says of a page, by all rules or by `only` one, or by all but `without`. */
export async function inspect(page: Page, { only, without }: Choice = {}): Promise<Inspection> {
  // The newer way of asking opens a tab of its own each time, for frames of other origins; there are none.
  const asked = new AxeBuilder({ page }).setLegacyMode(true).options({
    runOnly: only ? { type: 'rule', values: [only] } : { type: 'tag', values: RULES },
    rules: only ? {} : { 'target-size': { enabled: true }, ...(without ? { [without]: { enabled: false } } : {}) },
    resultTypes: ['violations', 'incomplete'],
  });
  const { violations, incomplete, testEngine } = await asked.analyze();
  const wrong = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`));
  const { questions, pale } = await settle(page, incomplete);
  const open = questions.filter(({ isSettled }) => !isSettled);
  return {
    faults: [...wrong, ...pale, ...open.map(({ line }) => line)],
    settled: questions.length - open.length,
    engine: testEngine.version,
  };
}

type Doubts = AxeResults['incomplete'];

async function settle(page: Page, incomplete: Doubts) {
  const nodes = incomplete.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, node })));
  const contrast = nodes.filter(({ id }) => id === 'color-contrast').map(({ node }) => node.target.join(' '));
  const pale = contrast.length ? await settleContrast(page, contrast) : [];
  const questions = nodes.flatMap(({ id, node }) =>
    [...node.any, ...node.all, ...node.none].map(({ message }) => ({
      isSettled:
        id === 'color-contrast' || REVIEWED.some((known) => known.rule === id && message.includes(known.question)),
      line: `${id} asks of ${node.target.join(' ')}: ${message}`,
    })),
  );
  return { questions, pale };
}
