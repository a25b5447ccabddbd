import type { Cost } from './growth-product.ts';
import { buffersOf, planText, type Statement } from './growth-plan.ts';

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** A page in Markdown: each statement once, with its plan in the large database. */
export function plansPage({ times, costs }: { times: number; costs: Cost[] }): string {
  const seen = new Map<string, { statement: Statement; of: string[] }>();
  for (const { case: one, statements } of costs)
    for (const statement of statements) {
      const key = oneLine(statement.text);
      const known = seen.get(key);
      if (known) known.of.push(one.name);
      else seen.set(key, { statement, of: [one.name] });
    }
  const parts = [...seen].map(([text, { statement, of }], nth) =>
    [
      `## ${nth + 1}. ${[...new Set(of)].join('; ')}`,
      '',
      `${buffersOf(statement.plan)} pages.`,
      '',
      '```sql',
      text,
      '```',
      '',
      '```',
      planText(statement.plan),
      '```',
    ].join('\n'),
  );
  return [
    '# Query plans of the most frequent statements',
    '',
    `Written by \`npm run bench:growth -- --write\` from the plans PostgreSQL reported for the product's statements, in a database of ${times} times 10 000 posts. A statement that several requests send is listed once, with the plan of the first request.`,
    '',
    ...parts,
    '',
  ]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}
