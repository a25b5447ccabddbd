import type { Examination } from './examine.ts';
import type { Diagnosis, Soundness } from './diagnosis.ts';

const SIGNS: Record<Soundness, string> = { right: '✓', advice: '!', wrong: '✗' };

function linesOf({ about, verdict, message, remedy }: Diagnosis): string[] {
  const line = `  ${SIGNS[verdict]} ${about}: ${message}`;
  return remedy === undefined ? [line] : [line, `      ${remedy}`];
}

/** The examination as text for a terminal. */
export function report({ sections }: Examination): string {
  const count = (verdict: Soundness) =>
    sections.flatMap(({ findings }) => findings).filter((finding) => finding.verdict === verdict).length;
  const body = sections.flatMap(({ title, findings }) => [title, ...findings.flatMap(linesOf), '']);
  return [...body, `${count('wrong')} wrong, ${count('advice')} to look at, ${count('right')} right.`].join('\n');
}
