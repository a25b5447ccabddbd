import type { CheckFinding } from '@officium/contract/content-checks';
import type { Element } from '#server/text/markdown-elements.ts';

export type Finding = CheckFinding;
/** Records a problem for the author to fix; `text` is the text at that position. */
export type Report = (rule: Finding['rule'], severity: Finding['severity'], at: { line: number; text: string }) => void;

/** A check that visits every element and text in source order, then the end. */
export type Check = {
  open?(element: Element): void;
  close?(tag: string): void;
  text?(text: string, line: number): void;
  end?(): void;
};
