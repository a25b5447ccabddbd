import type { CheckFinding } from '@officium/contract/content-checks';
import type { Element } from '#server/text/markdown-elements.ts';

export type Finding = CheckFinding;
/** Notes something an author should mend; `text` is what it stands at. */
export type Report = (rule: Finding['rule'], severity: Finding['severity'], at: { line: number; text: string }) => void;

/** One kind of check: told of every element and text in the order of the source, and of the end. */
export type Check = {
  open?(element: Element): void;
  close?(tag: string): void;
  text?(text: string, line: number): void;
  end?(): void;
};
