import type { Exposure, Occupation, Statement } from './job-task-file.format.ts';

const KINDS: Record<string, Statement['kind']> = { Core: 'core', Supplemental: 'supplemental', '': 'unrated' };
const EXPOSURES: readonly string[] = ['E0', 'E1', 'E2'] satisfies Exposure[];

function isExposure(label: string | undefined): label is Exposure {
  return label !== undefined && EXPOSURES.includes(label);
}

/** Removes the quotes around a field and undoubles those inside. */
function unquote(field: string): string {
  return /^".*"$/.test(field) ? field.slice(1, -1).replaceAll('""', '"') : field;
}

/**
 * Parses the published table `full_labelset.tsv` ("GPTs are GPTs") into occupations with their statements, in file
 * order. Throws at a malformed line.
 */
export function readSource(tsv: string): Occupation[] {
  const [header = '', ...lines] = tsv.trimEnd().split(/\r?\n/);
  const names = header.split('\t');
  const occupations = new Map<string, Occupation>();
  for (const line of lines) {
    const fields = line.split('\t').map(unquote);
    const field = (name: string) => fields[names.indexOf(name)];
    const [code, title, text] = [field('O*NET-SOC Code'), field('Title'), field('Task')];
    const [model, people] = [field('gpt4_exposure'), field('human_labels')];
    const kind = KINDS[field('Task Type') ?? ''];
    const id = Number(field('Task ID'));
    const automationGrade = Number(field('gpt4_automation')?.slice(1));
    const isWhole = Number.isInteger(id) && Number.isInteger(automationGrade);
    if (!code || !title || !text || !kind || !isExposure(model) || !isExposure(people) || !isWhole)
      throw new Error(`malformed task statement line: ${line}`);
    const occupation = occupations.get(code) ?? { code, title, statements: [] };
    occupation.statements.push({ id, text, kind, model, people, automationGrade });
    occupations.set(code, occupation);
  }
  return [...occupations.values()];
}
